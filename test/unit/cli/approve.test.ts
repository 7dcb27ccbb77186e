import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CommandLine } from "../../fakes/commandLine.ts";

interface Asked {
	readonly id: string;
	readonly subject: string;
	readonly agentPath: string;
}

async function asked(line: CommandLine): Promise<Asked> {
	const read = async () => (await line.read<{ approvals: readonly Asked[] }>("approve")).approvals;
	await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBe(1);
	return (await read())[0] as Asked;
}

describe("what a run asks, on the command line", { timeout: 40_000 }, () => {
	it("is listed, allowed by the beginning of its id, and done", async () => {
		const line = new CommandLine();
		const run = line.start("run", "scout", "Write");
		const question = await asked(line);
		const file = path.join(line.repo, "new.txt");
		expect(question).toMatchObject({ agentPath: "scout", subject: file });
		expect(existsSync(file)).toBe(false);
		const { code, out } = await line.call("approve", question.id.slice(0, -4));
		expect({ code, out }).toEqual({ code: 0, out: `Allowed once, on the command line: write ${file}\n` });
		const ended = await run.ended;
		expect(ended.code).toBe(0);
		expect(ended.err).toContain(`muster approve ${question.id}`);
		expect(readFileSync(file, "utf8")).toBe("eight\n");
		const late = await line.call("reject", question.id);
		expect(late).toMatchObject({ code: 1, err: expect.stringContaining("answered before: Allowed once") });
	});

	it("is denied with words for the subagent", async () => {
		const line = new CommandLine();
		const run = line.start("run", "scout", "Write");
		await line.call("reject", (await asked(line)).id, "Not today");
		expect((await run.ended).out).toContain("Not today");
		expect(existsSync(path.join(line.repo, "new.txt"))).toBe(false);
	});

	it("is answered by a rule that came with the call, and refused where nobody is to be asked", async () => {
		const line = new CommandLine();
		const allowed = await line.call("run", "scout", "Shell", "--allow", "shell(cat *)");
		expect(allowed.out).toContain("shell may: rule shell(cat *) from the command that started this run");
		const refused = await line.call("run", "scout", "Shell", "--on-ask", "deny");
		expect(refused.out).toContain("set to ask nobody");
		const wrong = await line.call("run", "scout", "Shell", "--allow", "shel(cat *)");
		expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("there is no such tool") });
	});

	it("is not answered by a subagent that calls this program from its own shell", async () => {
		const line = new CommandLine();
		const run = line.start("run", "scout", "Write");
		const { id } = await asked(line);
		const marked = { MUSTER_RUN: "run_1" };
		for (const words of [
			["approve", id],
			["reject", id],
			["resume", "--all"],
			["run", "scout", "Count", "--allow", "shell"],
			["run", "scout", "Count", "--over-budget"],
		]) {
			const { code, err } = await line.startIn(marked, ...words).ended;
			expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("is for people") });
		}
		expect(await asked(line)).toMatchObject({ id });
		await line.call("reject", id);
		await run.ended;
	});

	it("is a whole plan in plan mode, which is carried out when it is approved, unasked where it says what it writes", async () => {
		const line = new CommandLine();
		const planned = await line.call("run", "scout", "Plan", "--plan");
		expect(planned.out).toContain('[PLAN READY] "Plan" plan completed');
		const { plans } = await line.read<{ plans: readonly Asked[] }>("approve");
		expect((await line.call("approve")).out).toContain("edits 1 file, runs 0 commands");
		const { code, out } = await line.call("approve", plans[0]?.id ?? "");
		expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("The plan “Plan” is approved.") });
		expect(readFileSync(path.join(line.repo, "new.txt"), "utf8")).toBe("planned\n");
		expect(await line.call("reject", plans[0]?.id ?? "")).toMatchObject({
			code: 1,
			err: expect.stringContaining("approved before"),
		});
	});
});
