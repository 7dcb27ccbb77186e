import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CodeDiagnostic, CodeSymbol, LanguagesPort } from "../../../../../src/core/ports/languages.ts";
import { createPermissionGate } from "../../../../../src/core/permissions/permissionGate.ts";
import { createDiagnostics } from "../../../../../src/core/tools/builtin/diagnostics.ts";
import { createSymbols } from "../../../../../src/core/tools/builtin/symbols.ts";
import { dispatchToolCall } from "../../../../../src/core/tools/dispatchToolCall.ts";
import { ManualClock } from "../../../../fakes/manualClock.ts";
import { temporaryFolder, withFiles } from "../../../../fakes/temporaryFolder.ts";
import { aRunsServices, execute } from "../execute.ts";

function someLanguages(fields: Partial<LanguagesPort> = {}): LanguagesPort {
	return { diagnostics: () => [], symbolsOf: async () => [], findSymbols: async () => [], ...fields };
}

const folder = () => withFiles(temporaryFolder(), { "src/cart.ts": "x", "src/till.ts": "y", ".env": "KEY=1" });

function aDiagnostic(root: string, name: string, fields: Partial<CodeDiagnostic> = {}): CodeDiagnostic {
	const place = { path: join(root, name), line: 1, column: 1 };
	return { ...place, severity: "error", message: "wrong", source: "ts 2322", ...fields };
}

function aSymbol(root: string, name: string, fields: Partial<CodeSymbol> = {}): CodeSymbol {
	return {
		path: join(root, name),
		line: 1,
		column: 1,
		name: "total",
		kind: "function",
		container: undefined,
		...fields,
	};
}

/** Through the gate, as a run in that folder calls it. */
async function dispatch(root: string, tool: ReturnType<typeof createDiagnostics>, input: unknown, isPlanMode = false) {
	const gate = createPermissionGate({
		roots: [root],
		homeDir: "/home/somebody",
		dataDir: "/home/somebody/data",
		rules: { deny: [], ask: [], allow: [] },
		edits: "ask",
		isRestricted: false,
		isPlanMode,
		answers: () => [],
	});
	const services = aRunsServices({ leavesOut: (path, name) => gate.leavesOut(path, name) });
	const { signal } = new AbortController();
	const call = { toolCallId: "1", toolName: tool.name, input };
	return dispatchToolCall(call, { tools: [tool], gate, root, signal, services });
}

describe("diagnostics", () => {
	const list = (root: string, found: readonly CodeDiagnostic[], input: { path?: string; severity?: string } = {}) =>
		execute(createDiagnostics(someLanguages({ diagnostics: () => found })), root, input);

	it("gives file, line and column, severity, message and source, sorted by place", async () => {
		const root = folder();
		const found = [
			aDiagnostic(root, "src/till.ts", { line: 2, message: "is\n  not", source: undefined }),
			aDiagnostic(root, "src/cart.ts", { line: 10, severity: "warning" }),
			aDiagnostic(root, "src/cart.ts", { line: 9, column: 12 }),
			aDiagnostic(root, "src/cart.ts", { line: 9, column: 3 }),
		];
		expect((await list(root, found)).text.split("\n")).toEqual([
			"src/cart.ts:9:3: error: wrong (ts 2322)",
			"src/cart.ts:9:12: error: wrong (ts 2322)",
			"src/cart.ts:10:1: warning: wrong (ts 2322)",
			"src/till.ts:2:1: error: is not",
		]);
	});

	it("shows warnings and errors, says how many are less grave, and shows those when they are wanted", async () => {
		const root = folder();
		const found = [aDiagnostic(root, "src/cart.ts", { severity: "hint" })];
		expect((await list(root, found)).text).toBe("The editor knows of none. 1 less grave not shown.");
		expect((await list(root, found, { severity: "hint" })).text).toBe("src/cart.ts:1:1: hint: wrong (ts 2322)");
		expect((await list(root, [])).text).toBe("The editor knows of none.");
	});

	it("shows one file or folder alone where one is named, and says what is wrong with its name", async () => {
		const root = folder();
		const found = [aDiagnostic(root, "src/cart.ts"), aDiagnostic(root, "src/till.ts"), aDiagnostic(root, "top.ts")];
		expect((await list(root, found, { path: "src/till.ts" })).text).toBe("src/till.ts:1:1: error: wrong (ts 2322)");
		expect((await list(root, found, { path: "src" })).text.split("\n")).toHaveLength(2);
		expect(await list(root, found, { path: "gone" })).toMatchObject({
			isError: true,
			text: expect.stringMatching(/^gone does not exist/u),
		});
	});

	it("shows so many that they fit, with the number of the rest", async () => {
		const root = folder();
		const found = Array.from({ length: 10_000 }, (_, line) =>
			aDiagnostic(root, "src/cart.ts", { line: line + 1, message: "y".repeat(10_000) }),
		);
		const { text } = await list(root, found);
		expect(Buffer.byteLength(text)).toBeLessThan(30 * 1024);
		expect(text).toMatch(/\[9\d{3} more not shown\. Name a file or a folder in path\.\]$/u);
	});

	it("leaves out what the gate leaves out and what is not below the folder, also while planning", async () => {
		const root = folder();
		const elsewhere = temporaryFolder({ "other.ts": "" });
		const found = [aDiagnostic(root, ".env"), aDiagnostic(elsewhere, "other.ts"), aDiagnostic(root, "src/cart.ts")];
		const tool = createDiagnostics(someLanguages({ diagnostics: () => found }));
		for (const isPlanMode of [false, true]) {
			const { text } = await dispatch(root, tool, {}, isPlanMode);
			expect(text).toBe("src/cart.ts:1:1: error: wrong (ts 2322)");
		}
	});

	it("says nothing of a file that the gate would ask for", async () => {
		const root = folder();
		const tool = createDiagnostics(someLanguages({ diagnostics: () => [aDiagnostic(root, ".env")] }));
		expect(await dispatch(root, tool, { path: ".env" })).toMatchObject({ isError: true });
	});
});

describe("symbols", () => {
	it("gives the outline of a file, with what each is part of, or what of it has such a name", async () => {
		const root = folder();
		const asked: string[] = [];
		const found = [
			aSymbol(root, "src/cart.ts", { line: 4, column: 2, container: "Cart", kind: "method" }),
			aSymbol(root, "src/cart.ts", { name: "Cart", kind: "class" }),
		];
		const tool = createSymbols(
			someLanguages({
				symbolsOf: async (path) => {
					asked.push(path);
					return found;
				},
			}),
		);
		const lines = ["src/cart.ts:1:1: class Cart", "src/cart.ts:4:2: method total, in Cart"];
		expect((await execute(tool, root, { path: "src/cart.ts" })).text.split("\n")).toEqual(lines);
		expect((await execute(tool, root, { path: "src/cart.ts", query: "TOT" })).text).toBe(lines[1]);
		expect(asked[0]).toBe(join(root, "src/cart.ts"));
	});

	it("searches a folder by name, leaves out what the gate leaves out, and needs a name for that", async () => {
		const root = folder();
		const elsewhere = temporaryFolder({ "other.ts": "" });
		const found = [aSymbol(root, ".env"), aSymbol(elsewhere, "other.ts"), aSymbol(root, "src/till.ts")];
		const tool = createSymbols(someLanguages({ findSymbols: async (query) => (query === "total" ? found : []) }));
		expect((await dispatch(root, tool, { query: " total " })).text).toBe("src/till.ts:1:1: function total");
		expect((await dispatch(root, tool, { query: "other" })).text).toMatch(/^No symbols found/u);
		expect(await dispatch(root, tool, {})).toMatchObject({ isError: true });
	});

	it("asks the service nothing about a file outside, also by way of a link", async () => {
		const root = folder();
		mkdirSync(join(root, "links"));
		symlinkSync(temporaryFolder({ "secret.ts": "" }), join(root, "links/out"));
		const asked: string[] = [];
		const tool = createSymbols(
			someLanguages({
				symbolsOf: async (path) => {
					asked.push(path);
					return [];
				},
			}),
		);
		expect(await dispatch(root, tool, { path: "links/out/secret.ts" })).toMatchObject({ isError: true });
		expect(asked).toEqual([]);
	});

	it("waits for no service that hangs", async () => {
		const root = folder();
		const clock = new ManualClock();
		const tool = createSymbols(
			someLanguages({
				findSymbols: () => {
					clock.advance(30_000);
					return new Promise(() => undefined);
				},
			}),
		);
		const { signal } = new AbortController();
		const result = execute(tool, root, { query: "total" }, signal, aRunsServices({ clock }));
		await expect(result).rejects.toThrow("the language service gave no answer within 30 s");
	});

	it("is stopped at once while a service hangs", async () => {
		const controller = new AbortController();
		const tool = createSymbols(
			someLanguages({
				findSymbols: () => {
					controller.abort(new Error("stopped"));
					return new Promise(() => undefined);
				},
			}),
		);
		await expect(execute(tool, folder(), { query: "total" }, controller.signal)).rejects.toThrow("stopped");
	});
});
