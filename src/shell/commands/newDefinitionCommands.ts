import { realpath } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { agentNamePattern, longestAgentName } from "../../core/agents/agentName.ts";
import { newAgentFile } from "../../core/agents/newAgentFile.ts";
import { ProblemError } from "../../core/base/errors.ts";
import { createNewFile } from "../../core/base/createNewFile.ts";
import { findNameProblem } from "../../core/skills/skillName.ts";
import { homeFolder, openFolders } from "../adapters/folders.ts";
import { pickFolder } from "./pickFolder.ts";

/** Asks for a name and a description, writes an agent file from the template, and opens it. */
export async function newAgentCommand(): Promise<void> {
	const name = await ask("The agent's name, such as code-reviewer", findAgentNameProblem);
	if (name === undefined) return;
	const description = await ask("What the agent is for: other agents choose it by this");
	if (description === undefined) return;
	await create(`.agents/agents/${name}.md`, newAgentFile(name, description));
}

/** The same for a skill, in a folder of its own. */
export async function newSkillCommand(): Promise<void> {
	const name = await ask("The skill's name, such as release-notes", (text) => {
		const problem = findNameProblem(text);
		return problem === undefined ? undefined : `The name ${problem}.`;
	});
	if (name === undefined) return;
	const description = await ask("What the skill does, and when to use it", (text) =>
		text === "" ? "A skill needs a description." : undefined,
	);
	if (description === undefined) return;
	const { newSkillFile } = await import("../../core/skills/newSkillFile.ts");
	const file = newSkillFile(name, description);
	if ("problem" in file) throw new ProblemError(file.problem);
	await create(file.path, file.contents);
}

async function ask(prompt: string, findProblem: (text: string) => string | undefined = () => undefined) {
	const validateInput = (text: string) => findProblem(text.trim());
	return (await vscode.window.showInputBox({ prompt, validateInput, ignoreFocusOut: true }))?.trim();
}

function findAgentNameProblem(name: string): string | undefined {
	if (name === "main") return "“main” is the built-in agent. Choose another name.";
	if (agentNamePattern.test(name) && name.length <= longestAgentName) return undefined;
	return `Up to ${longestAgentName} lower-case letters and digits, with single - or _ between them.`;
}

async function create(file: string, contents: string): Promise<void> {
	const root = await pickRoot();
	if (root === undefined) return;
	const written = path.join(root, file);
	if (!(await createNewFile(await realpath(root), file, contents))) {
		throw new ProblemError({
			code: "definition.exists",
			message: `${written} is there already, and was not changed. Choose another name.`,
			remedies: [{ kind: "openFile", path: written }],
		});
	}
	await vscode.window.showTextDocument(vscode.Uri.file(written));
}

/** Home, or a folder of the window. Nothing is written into one that is not trusted. */
async function pickRoot(): Promise<string | undefined> {
	const home = { label: "Home", description: homeFolder(), isHome: true };
	if (!vscode.workspace.isTrusted || openFolders()[0] === null) return homeFolder();
	const items = [
		{ label: "This workspace", description: "shared with everybody who has the folder", isHome: false },
		home,
	];
	const picked = await vscode.window.showQuickPick(items, { placeHolder: "Where?", ignoreFocusOut: true });
	if (picked === undefined) return undefined;
	return picked.isHome ? homeFolder() : ((await pickFolder("In which folder?")) ?? undefined);
}
