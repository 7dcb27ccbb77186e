import * as z from "zod";
import type { TodoItem } from "../../runs/todoItem.ts";
import { defineTool } from "../defineTool.ts";
import { succeeded } from "../toolResult.ts";

const maxItems = 100;

const Item = z.strictObject({
	id: z.string().min(1).max(50).meta({ description: "Any short name, the same in each call." }),
	content: z.string().trim().min(1).max(500).meta({ description: "What is to do." }),
	status: z.enum(["pending", "in_progress", "completed", "blocked"]),
});

/** A run's list, as it last wrote it. */
export class TodoList {
	readonly #save: (items: readonly TodoItem[]) => Promise<void>;
	items: readonly TodoItem[] = [];

	constructor(save: (items: readonly TodoItem[]) => Promise<void> = async () => undefined) {
		this.#save = save;
	}

	async write(items: readonly TodoItem[]): Promise<void> {
		await this.#save(items);
		this.items = items;
	}
}

const Input = z.strictObject({
	items: z
		.array(Item)
		.max(maxItems)
		.refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "each id may occur only once")
		.meta({ description: "The whole list, in order: it replaces the one before." }),
});

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]", blocked: "[!]" } as const;

export const todo = defineTool({
	name: "todo",
	description:
		"Keeps your list of steps for a task of several, and shows it to the user. Each call gives the whole list. " +
		"Set a step to in_progress when you begin it, and to completed as soon as it is done.",
	input: Input,
	effect: () => ({ kind: "none" }),
	subject: ({ items }) => {
		const done = items.filter(({ status }) => status === "completed").length;
		return `${done} of ${items.length} done`;
	},
	async execute({ items }, { todos }) {
		await todos.write(items);
		if (items.length === 0) return succeeded("The list is empty.");
		return succeeded(items.map(({ id, content, status }) => `${marks[status]} ${id}: ${content}`).join("\n"));
	},
});
