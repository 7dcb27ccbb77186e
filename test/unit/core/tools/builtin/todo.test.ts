import { describe, expect, it } from "vitest";
import { todo } from "../../../../../src/core/tools/builtin/todo.ts";
import { aRunsServices, execute } from "../execute.ts";

const { signal } = new AbortController();

describe("todo", () => {
	it("replaces the whole list, and keeps it for the run", async () => {
		const services = aRunsServices();
		const one = { id: "1", content: "Look", status: "completed" };
		const two = { id: "2", content: " Write ", status: "in_progress" };
		const write = async (items: unknown) => (await execute(todo, "/", { items }, signal, services)).text;
		expect(await write([one, two, { id: "3", content: "Test", status: "pending" }])).toBe(
			"[x] 1: Look\n[>] 2: Write\n[ ] 3: Test",
		);
		expect(await write([one])).toBe("[x] 1: Look");
		expect(services.todos.items).toEqual([one]);
		expect(aRunsServices().todos.items).toEqual([]);
		expect(await write([])).toBe("The list is empty.");
	});

	it.each([
		[[{ id: "1", content: "", status: "pending" }], "items.0.content"],
		[[{ id: "1", content: "x", status: "done" }], "items.0.status"],
		[[1, 2].map(() => ({ id: "1", content: "x", status: "pending" })), "each id may occur only once"],
		[Array.from({ length: 101 }, (_, n) => ({ id: String(n), content: "x", status: "pending" })), "items"],
	])("cannot use a list such as %j", (items, problem) => {
		expect(todo.prepare({ items })).toEqual({ ok: false, problem: expect.stringContaining(problem) });
	});
});
