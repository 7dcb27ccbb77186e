import { spawn } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hashBytes } from "../../../../src/core/base/hashBytes.ts";
import { readContained, writeContained } from "../../../../src/core/permissions/openContained.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";

const maxBytes = 1_000;
const bytes = Buffer.from("new");
const oldHash = hashBytes(Buffer.from("old"));

describe.each(["linux", "darwin"] as const)("a contained file, the way of %s", (platform) => {
	it("is read whole or up to the limit", async () => {
		const root = temporaryFolder({ "sub/a": "old" });
		expect(await readContained(root, join(root, "sub/a"), { maxBytes, platform })).toEqual({
			ok: true,
			bytes: Buffer.from("old"),
			isWhole: true,
			hash: oldHash,
		});
		expect(await readContained(root, join(root, "sub/a"), { maxBytes: 2, platform })).toMatchObject({
			bytes: Buffer.from("ol"),
			isWhole: false,
		});
	});

	it("is replaced with the mode it had, and a hard link to it keeps the old content", async () => {
		const root = temporaryFolder({ a: "old" });
		chmodSync(join(root, "a"), 0o755);
		linkSync(join(root, "a"), join(root, "other"));
		expect(await writeContained(root, join(root, "a"), bytes, { expectedHash: oldHash, platform })).toEqual({
			ok: true,
			hash: hashBytes(bytes),
		});
		expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
		expect(statSync(join(root, "a")).mode & 0o777).toBe(0o755);
		expect(readFileSync(join(root, "other"), "utf8")).toBe("old");
		expect(readdirSync(root).toSorted()).toEqual(["a", "other"]);
	});

	it("is created with the folders that it needs", async () => {
		const root = temporaryFolder();
		const path = join(root, "x/y/z");
		expect(await writeContained(root, path, bytes, { expectedHash: undefined, platform })).toMatchObject({ ok: true });
		expect(readFileSync(path, "utf8")).toBe("new");
		expect(readdirSync(join(root, "x/y"))).toEqual(["z"]);
	});

	it("is left alone when it is not what was expected", async () => {
		const root = temporaryFolder({ a: "other" });
		for (const expectedHash of [oldHash, undefined]) {
			expect(await writeContained(root, join(root, "a"), bytes, { expectedHash, platform })).toMatchObject({
				ok: false,
				code: "changed",
			});
		}
		expect(await writeContained(root, join(root, "b"), bytes, { expectedHash: oldHash, platform })).toMatchObject({
			ok: false,
			code: "missing",
		});
		expect(readdirSync(root)).toEqual(["a"]);
	});

	it("is refused by its inode before it is opened", async () => {
		const root = temporaryFolder({ "data/store.db": "old" });
		linkSync(join(root, "data/store.db"), join(root, "innocent"));
		const store = statSync(join(root, "data/store.db"), { bigint: true });
		const isForbiddenFile = ({ dev, ino }: { dev: bigint; ino: bigint }) => dev === store.dev && ino === store.ino;
		const path = join(root, "innocent");
		const refused = { ok: false, code: "forbidden" };
		expect(await readContained(root, path, { maxBytes, platform, isForbiddenFile })).toMatchObject(refused);
		expect(await writeContained(root, path, bytes, { expectedHash: oldHash, platform, isForbiddenFile })).toMatchObject(
			refused,
		);
	});

	it("is refused when it is a pipe, a folder, a link, or reached through one", async () => {
		const root = temporaryFolder({ "outside/a": "old", "ws/a": "old" });
		const ws = join(root, "ws");
		execFileSync("mkfifo", [join(ws, "pipe")]);
		mkdirSync(join(ws, "folder"));
		symlinkSync("a", join(ws, "fileLink"));
		symlinkSync("../outside", join(ws, "folderLink"));
		for (const name of ["pipe", "folder", "fileLink", "folderLink/a", "../outside/a", "."]) {
			expect(await readContained(ws, join(ws, name), { maxBytes, platform })).toMatchObject({ ok: false });
		}
		const written = await writeContained(ws, join(ws, "folderLink/a"), bytes, { expectedHash: oldHash, platform });
		expect(written).toMatchObject({ ok: false });
		expect(readFileSync(join(root, "outside/a"), "utf8")).toBe("old");
	});
});

/** Swaps the folder for a link to the outside and back, as fast as it can. */
const swapper = `
const { renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
const [folder, outside] = process.argv.slice(1);
const attempt = (act) => {
	try {
		act();
		return true;
	} catch {
		return false;
	}
};
process.stdout.write("ready");
for (;;) {
	renameSync(folder, folder + ".real");
	// The one under attack may have made the folder anew.
	attempt(() => symlinkSync(outside, folder));
	attempt(() => unlinkSync(folder));
	while (!attempt(() => renameSync(folder + ".real", folder))) attempt(() => rmSync(folder, { recursive: true, force: true }));
}`;

describe.runIf(process.platform === "linux")("a folder that another process keeps swapping for a link", () => {
	it("never lets a byte of the outside in, nor one of ours out", async () => {
		const outer = withFiles(temporaryFolder(), {
			"ws/in/deep/a": "inside",
			"out/deep/a": "outside",
			"out/a": "outside",
		});
		const ws = join(outer, "ws");
		const attacker = spawn(process.execPath, ["-e", swapper, join(ws, "in"), join(outer, "out")], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		const ended = new Promise((done) => attacker.once("exit", done));
		onTestFinished(() => void attacker.kill("SIGKILL"));
		await new Promise((ready) => attacker.stdout.once("data", ready));
		const contents = new Set<string>();
		const counts = { read: 0, refused: 0, written: 0 };
		const end = performance.now() + 3_000;
		// On a busy machine it takes longer until each has happened at least once.
		const isEnough = () => performance.now() > end && Object.values(counts).every((count) => count > 0);
		for (let n = 0; !isEnough(); n++) {
			const read = await readContained(ws, join(ws, "in/deep/a"), { maxBytes });
			if (read.ok) {
				counts.read++;
				contents.add(read.bytes.toString());
			} else counts.refused++;
			const options = { expectedHash: undefined };
			const path = join(ws, n % 2 === 0 ? `in/deep/new${n}` : `in/made${n}/new`);
			if ((await writeContained(ws, path, bytes, options)).ok) counts.written++;
			const replaced = { expectedHash: hashBytes(Buffer.from("inside")) };
			await writeContained(ws, join(ws, "in/deep/a"), Buffer.from("inside"), replaced);
		}
		expect(attacker.exitCode).toBeNull();
		attacker.kill("SIGKILL");
		await ended;
		expect([...contents]).toEqual(["inside"]);
		const outside = readdirSync(join(outer, "out"), { recursive: true, encoding: "utf8" });
		expect(outside.toSorted()).toEqual(["a", "deep", "deep/a"]);
		expect(readFileSync(join(outer, "out/deep/a"), "utf8")).toBe("outside");
		expect(readFileSync(join(outer, "out/a"), "utf8")).toBe("outside");
	}, 60_000);
});
