/** What a window knows of its definitions while files change, told by a watcher that the test speaks for. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { discoverCatalog } from "../../../src/core/catalog/discoverCatalog.ts";
import { WorkspaceCatalogs } from "../../../src/shell/catalog/workspaceCatalogs.ts";
import { editor, EventEmitter, resetEditor, tellOfChange } from "../../fakes/editorStandIn.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { temporaryFolder, withFiles } from "../../fakes/temporaryFolder.ts";
import { agentText } from "../core/agents/agentText.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(() => {
	resetEditor();
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
});

const file = (name: string) => ({ [`.agents/agents/${name}.md`]: agentText("", { name }) });

/** A window with one folder, whose definitions have been read once. */
async function aWindow(files: Readonly<Record<string, string>> = file("first")) {
	const folder = temporaryFolder(files);
	const home = temporaryFolder();
	editor.folders = [folder];
	editor.settings.set("homeDir", home);
	const readings: Promise<unknown>[] = [];
	const begun = new EventEmitter();
	const nextReading = () => new Promise((resolve) => begun.event(resolve));
	const catalog = () => {
		const reading = discoverCatalog({ homeDir: home, repoDir: folder, environment: {}, providerIds: [] });
		readings.push(reading);
		begun.fire(undefined);
		return reading;
	};
	const runtimes = { isOpen: true, onDidChange: new EventEmitter().event, runtimeOf: async () => ({ catalog }) };
	const catalogs = new WorkspaceCatalogs(
		runtimes as unknown as ConstructorParameters<typeof WorkspaceCatalogs>[0],
		new RecordingLogger(),
		(_what, error) => expect.unreachable(String(error)),
	);
	onTestFinished(() => catalogs.dispose());
	await catalogs.read();
	const names = () => catalogs.catalogs.flatMap(({ agents }) => agents.agents.map(({ name }) => name));
	/** Resolves when the views hear that something is different. */
	const changed = () =>
		new Promise<readonly string[]>((resolve) => {
			const listener = catalogs.onDidChange(() => {
				listener.dispose();
				resolve(names());
			});
		});
	return { folder, home, at: join(folder, ".agents"), catalogs, readings, nextReading, names, changed };
}

/** As much as a person may wait. */
const aSecond = () => vi.advanceTimersByTime(1_000);

describe("the definitions of a window", () => {
	it("are read again within a second when a file is told of", async () => {
		const { folder, changed } = await aWindow();
		withFiles(folder, file("second"));
		const seen = changed();
		tellOfChange(join(folder, ".agents/agents/second.md"));
		aSecond();
		expect(await seen).toEqual(["first", "second"]);
	});

	it("follow a .agents folder that is deleted, made whole and renamed, told of the folder alone", async () => {
		const { folder, at, changed } = await aWindow();
		const step = async (change: () => void) => {
			const seen = changed();
			change();
			tellOfChange(at);
			aSecond();
			return seen;
		};
		expect(await step(() => rmSync(at, { recursive: true }))).toEqual([]);
		expect(await step(() => withFiles(folder, file("made")))).toEqual(["made"]);
		expect(await step(() => renameSync(at, join(folder, "agents.old")))).toEqual([]);
		expect(await step(() => renameSync(join(folder, "agents.old"), at))).toEqual(["made"]);
	});

	it.each([".agents", ".agents/agents", ".agents/config.toml", ".claude/agents/a.md", ".github", ".goclaw/mcp.json"])(
		"are read again for %s",
		async (place) => {
			const { folder, readings, nextReading } = await aWindow();
			const reading = nextReading();
			tellOfChange(join(folder, place));
			aSecond();
			await reading;
			expect(readings).toHaveLength(2);
		},
	);

	it("are left alone for files that define nothing", async () => {
		const { folder, catalogs, readings } = await aWindow();
		for (const place of ["src/agents.ts", "agents/a.md", "AGENTS.md", "node_modules/a/.agents/agents/a.md"])
			tellOfChange(join(folder, place));
		aSecond();
		await catalogs.read();
		expect(readings).toHaveLength(1);
	});

	it("are whole after a checkout of hundreds of files, read a few times and shown once", async () => {
		const { folder, changed, readings } = await aWindow({});
		const all = Array.from({ length: 400 }, (_, index) => `agent-${String(index).padStart(3, "0")}`);
		withFiles(folder, Object.assign({}, ...all.map(file)) as Record<string, string>);
		const seen = changed();
		for (const name of all)
			for (let times = 0; times < 3; times++) tellOfChange(join(folder, `.agents/agents/${name}.md`));
		aSecond();
		expect(await seen).toEqual(all);
		expect(readings).toHaveLength(2);
	});

	it("are read while a burst goes on that does not end", async () => {
		const { folder, changed, names } = await aWindow();
		withFiles(folder, file("second"));
		const seen = changed();
		for (let ms = 0; ms < 1_000; ms += 100) {
			tellOfChange(join(folder, ".agents/agents/second.md"));
			vi.advanceTimersByTime(100);
		}
		expect(await seen).toEqual(["first", "second"]);
		expect(names()).toEqual(["first", "second"]);
	});

	it("are looked at once more after a burst: a folder that is made and gone in one go is told of by nobody", async () => {
		const { folder, at, catalogs, readings, names } = await aWindow();
		withFiles(folder, file("second"));
		tellOfChange(at);
		vi.advanceTimersByTime(200);
		await catalogs.read();
		expect(names()).toEqual(["first", "second"]);
		renameSync(at, join(folder, "agents.old"));
		vi.advanceTimersByTime(800);
		await catalogs.read();
		expect(names()).toEqual([]);
		const { length } = readings;
		vi.advanceTimersByTime(10_000);
		expect(readings).toHaveLength(length);
	});

	it("miss no change that is told of while they are being read", async () => {
		const { folder, catalogs, names } = await aWindow();
		const reading = catalogs.refresh();
		withFiles(folder, file("second"));
		tellOfChange(join(folder, ".agents/agents/second.md"));
		await reading;
		await catalogs.read();
		expect(names()).toEqual(["first", "second"]);
	});

	it("are what is on disk when somebody asks anew, though nobody told of a change", async () => {
		const { folder, catalogs, names } = await aWindow();
		withFiles(folder, file("second"));
		await catalogs.read();
		expect(names()).toEqual(["first"]);
		await catalogs.refresh();
		expect(names()).toEqual(["first", "second"]);
	});

	it("are not shown anew when a change changes nothing", async () => {
		const { folder, at, catalogs, readings } = await aWindow();
		let times = 0;
		catalogs.onDidChange(() => times++);
		mkdirSync(join(at, "notes"));
		tellOfChange(join(folder, ".agents/notes"));
		aSecond();
		await catalogs.read();
		await Promise.all(readings);
		expect([readings.length, times]).toEqual([3, 0]);
	});
});
