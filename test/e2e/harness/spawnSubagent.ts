import type { Workbench } from "./workbench.ts";

/** Spawns as a person does: palette, agent, task. Resolves when the task has been taken. */
export async function spawnSubagent(workbench: Workbench, agent: string, task: string): Promise<void> {
	const { quickInput } = workbench;
	await workbench.run("Muster: Spawn Subagent…");
	await quickInput.shows("Which agent?");
	await quickInput.pick(agent);
	await quickInput.answer("What is it to do?", task);
	// The extension checks the task before the box closes; a palette that opens meanwhile would take its place.
	await quickInput.widget.waitFor({ state: "hidden" });
}
