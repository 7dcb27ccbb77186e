import type { Workbench } from "./workbench.ts";

/** Spawns as a person does: palette, agent, task. Resolves when the task has been taken. */
export async function spawnSubagent(workbench: Workbench, agent: string, task: string): Promise<void> {
	await workbench.run("Muster: Spawn Subagent…");
	await answer(workbench, agent, "What is it to do?", task);
}

/** The same in plan mode. */
export async function spawnPlan(workbench: Workbench, agent: string, task: string): Promise<void> {
	await workbench.run("Muster: Spawn Subagent in Plan Mode…");
	await answer(workbench, agent, "What is it to plan?", task);
}

async function answer({ quickInput }: Workbench, agent: string, question: string, task: string): Promise<void> {
	await quickInput.shows("Which agent?");
	await quickInput.pick(agent);
	await quickInput.answer(question, task);
	// The extension checks the task before the box closes; a palette that opens meanwhile would take its place.
	await quickInput.widget.waitFor({ state: "hidden" });
}
