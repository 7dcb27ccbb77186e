/** The answers that hold, as the Approvals view lists and revokes them, on a real runtime. */
import { beforeEach, expect, it, vi } from "vitest";
import { createApprovalCommands } from "../../../src/shell/approvals/approvalCommands.ts";
import type { ApprovalDocuments } from "../../../src/shell/approvals/approvalDocuments.ts";
import { ApprovalsTree } from "../../../src/shell/approvals/approvalsTree.ts";
import type { WorkspaceRuntimes } from "../../../src/shell/workspaceRuntimes.ts";
import { aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { resetEditor } from "../../fakes/editorStandIn.ts";
import { aCall, ScriptedModel } from "../../fakes/scriptedModel.ts";
import { untilAsked } from "../../fakes/untilWaiting.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const write = (content: string, id: string) => ({ calls: [aCall("write_file", { path: "new.txt", content }, id)] });

it("a standing answer is a row of its own, and revoking it makes the same thing ask again", async () => {
	const model = new ScriptedModel(write("1", "w1"), { text: "SUMMARY: One." }, write("2", "w2"), {
		text: "SUMMARY: Two.",
	});
	const runtime = await aRuntime(model);
	const nothing = () => ({ dispose: () => undefined });
	const runtimes = {
		opened: () => [runtime],
		approvals: () => runtime.approvals.waiting.map((approval) => ({ approval, runtime })),
		plans: () => [],
		onDidChangeApprovals: nothing,
		onDidChangePlans: nothing,
	} as unknown as WorkspaceRuntimes;
	const tree = new ApprovalsTree(runtimes);
	const commands = createApprovalCommands(runtimes, tree, {} as ApprovalDocuments);
	const rows = async () => {
		const answers = (await tree.getChildren()).includes("answers") ? await tree.getChildren("answers") : [];
		return answers.map((row) => ({ row, item: tree.getTreeItem(row) }));
	};
	const spawn = async () => {
		const answer = await runtime.spawn({ agent: "scout", task: "Work" });
		if (!answer.accepted) throw new Error(answer.error);
		return answer.runId;
	};
	expect(await rows()).toEqual([]);

	const first = await spawn();
	await untilAsked(runtime);
	const [asked] = await tree.getChildren();
	await commands.allowForAgent(asked);
	await untilRun(runtime, first, hasEnded);
	const [standing] = await rows();
	expect(standing?.item).toMatchObject({
		label: expect.stringContaining("Allow edit_file("),
		description: "for scout",
	});

	// A copy that a link could bring along is no row.
	await commands.revokeAnswer(JSON.parse(JSON.stringify(standing?.row, ["answer", "id"])));
	expect(await rows()).toHaveLength(1);
	await commands.revokeAnswer(standing?.row);
	expect(await rows()).toEqual([]);

	const second = await spawn();
	const [again] = await untilAsked(runtime);
	expect(again).toMatchObject({ runId: second, tool: "write_file" });
	await commands.allowOnce((await tree.getChildren())[0]);
	expect(await untilRun(runtime, second, hasEnded)).toMatchObject({ state: "ok" });
	tree.dispose();
});
