import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveInside } from "../../../../src/core/permissions/resolveInside.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../fakes/temporaryFolder.ts";

/** A workspace at `ws`, with a sibling whose name starts the same and a secret beside it. */
function aTree(): { readonly outer: string; readonly root: string } {
	const outer = withFiles(temporaryFolder(), {
		"ws/a.txt": "a",
		"ws/sub/b.txt": "b",
		"ws-evil/x": "x",
		"secret/key": "k",
	});
	const root = join(outer, "ws");
	withLinks(root, {
		out: "../secret",
		in: "sub",
		file: "a.txt",
		dangling: "../secret/new",
		danglingIn: "sub/new",
		absolute: join(outer, "secret"),
		loop: "loop2",
		loop2: "loop",
		self: "self/x",
		network: "//host/share",
		nowhere: "missing/../out",
		upFromLink: "in/../a.txt",
	});
	return { outer, root };
}

describe("resolveInside", () => {
	it.each([
		["", "."],
		[".", "."],
		["./", "."],
		["a.txt", "a.txt"],
		["sub/../a.txt", "a.txt"],
		["sub/", "sub"],
		["..foo", "..foo"],
		["../ws/a.txt", "a.txt"],
		["in/b.txt", "sub/b.txt"],
		["file", "a.txt"],
		["in/new/deeper", "sub/new/deeper"],
		["danglingIn", "sub/new"],
		["danglingIn/x", "sub/new/x"],
		["upFromLink", "a.txt"],
		["a.txt/x", "a.txt/x"],
		["missing/x", "missing/x"],
		["a\\b", "a\\b"],
	])("takes %j for what it really is, %j", async (path, expected) => {
		const { root } = aTree();
		expect(await resolveInside(path, [root])).toEqual({ ok: true, path: join(root, expected), root });
	});

	it.each([
		["..", "outside"],
		["../ws-evil/x", "outside"],
		["../secret/key", "outside"],
		["sub/../../secret/key", "outside"],
		["/etc/passwd", "outside"],
		["out", "outside"],
		["out/key", "outside"],
		["out/new", "outside"],
		["absolute/key", "outside"],
		["dangling", "outside"],
		["dangling/x", "outside"],
		["loop", "loop"],
		["loop/x", "loop"],
		["self", "loop"],
		["network/x", "network"],
		["nowhere/key", "nowhere"],
		["a\0b", "control character"],
		["file:///etc/passwd", "URI"],
		["~/.ssh/id_rsa", "not expanded"],
		["//host/share", "network"],
		[`${"x".repeat(300)}/y`, "cannot be looked up"],
	])("refuses %j and says why and what to use instead", async (path, problem) => {
		const { root } = aTree();
		const resolved = await resolveInside(path, [root]);
		expect(resolved).toEqual({ ok: false, reason: expect.stringContaining(problem) });
		expect(resolved).toEqual({ ok: false, reason: expect.stringContaining("Use a path inside the workspace") });
	});

	it("takes an absolute path inside the folder", async () => {
		const { root } = aTree();
		expect(await resolveInside(join(root, "a.txt"), [root])).toMatchObject({ ok: true, path: join(root, "a.txt") });
	});

	it("starts relative paths at the first folder and takes absolute ones in any", async () => {
		const { outer, root } = aTree();
		const second = join(outer, "secret");
		expect(await resolveInside("a.txt", [root, second])).toMatchObject({ ok: true, root });
		expect(await resolveInside(join(second, "key"), [root, second])).toEqual({
			ok: true,
			path: join(second, "key"),
			root: second,
		});
	});

	it("keeps the border where it was when the folder itself is swapped for a link", async () => {
		const { outer } = aTree();
		const swapped = join(outer, "swapped");
		symlinkSync(join(outer, "secret"), swapped);
		expect(await resolveInside("key", [swapped])).toMatchObject({ ok: false });
	});

	it("says that no folder is open when there is none", async () => {
		expect(await resolveInside("a.txt", [])).toEqual({
			ok: false,
			reason:
				"No folder is open in this window, so there are no files to read. Answer from the task alone, or ask the user to open a folder.",
		});
	});

	it("follows forty links and no more", async () => {
		const root = temporaryFolder();
		mkdirSync(join(root, "end"));
		for (let n = 1; n <= 41; n++) symlinkSync(n === 1 ? "end" : `link${n - 1}`, join(root, `link${n}`));
		expect(await resolveInside("link40", [root])).toMatchObject({ ok: true, path: join(root, "end") });
		expect(await resolveInside("link41", [root])).toMatchObject({ ok: false });
	});

	it("agrees with a plain model of the tree, and with the kernel, on random paths", async () => {
		const { outer, root } = aTree();
		const links: Readonly<Record<string, string>> = {
			[join(root, "out")]: join(outer, "secret"),
			[join(root, "in")]: join(root, "sub"),
			[join(root, "file")]: join(root, "a.txt"),
			[join(root, "dangling")]: join(outer, "secret/new"),
			[join(root, "danglingIn")]: join(root, "sub/new"),
			[join(root, "absolute")]: join(outer, "secret"),
		};
		/** Replaces the first link on the way by its target, until there is none. */
		const follow = (path: string): string => {
			const link = Object.keys(links).find((name) => path === name || path.startsWith(`${name}/`));
			return link === undefined ? path : follow(`${links[link]}${path.slice(link.length)}`);
		};
		const entries = ["sub", "a.txt", "b.txt", "key", "ws", "ws-evil", "x", "...", "é"];
		const linkNames = ["out", "in", "file", "dangling", "danglingIn", "absolute"];
		const segment = fc.oneof(fc.constantFrom("..", "."), fc.constantFrom(...linkNames), fc.constantFrom(...entries));
		const segments = fc.array(segment, { maxLength: 8 });
		const refused = { ok: false, reason: expect.any(String) };
		await fc.assert(
			fc.asyncProperty(segments, fc.boolean(), async (path, isAbsolute) => {
				const given = isAbsolute ? `${root}/${path.join("/")}` : path.join("/");
				const expected = follow(resolve(root, given));
				expect(realPathIfAny(resolve(root, given)) ?? expected).toBe(expected);
				const isExpectedInside = expected === root || expected.startsWith(`${root}/`);
				expect(await resolveInside(given, [root])).toEqual(
					isExpectedInside ? { ok: true, path: expected, root } : refused,
				);
			}),
			{ numRuns: 500 },
		);
	});
});

function realPathIfAny(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}
