const prefix = /^\s*\[([a-z0-9_-]+)\]\s*/u;

export interface ChosenRole {
	readonly role: string | null;
	/** Without the prefix that named the role. */
	readonly label: string | null;
	readonly task: string;
}

/** The role of a run: what the call says, else the agent, else a `[role]` before the label, else before the task. */
export function chooseRole(
	call: { readonly role?: string; readonly label?: string; readonly task: string },
	agentRole: string | undefined,
): ChosenRole {
	const fromLabel = prefix.exec(call.label ?? "")?.[1];
	const fromTask = prefix.exec(call.task)?.[1];
	const named = call.role ?? agentRole;
	const role = named ?? fromLabel ?? fromTask ?? null;
	const strip = (text: string, found: string | undefined) =>
		found !== undefined && found === role ? text.replace(prefix, "") : text;
	const label = call.label === undefined ? null : strip(call.label, fromLabel);
	const task = strip(call.task, fromTask);
	// A task that is nothing but the prefix stays as it is: there must be something to do.
	return { role, label: label === "" ? null : label, task: task.trim() === "" ? call.task : task };
}
