/** What people install: the built extension and what the Marketplace shows, and nothing that it was made of. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { buildFresh } from "./buildFresh.ts";
import { runTool } from "./runTool.ts";
import { scratchFolder } from "./scratchFolder.ts";

const shipped = [
	"CHANGELOG.md",
	"LICENSE",
	"README.md",
	"dist/cli.js",
	"dist/databaseWorker.js",
	"dist/extension.js",
	"dist/webview/icons.svg",
	"dist/webview/panel.css",
	"dist/webview/panel.js",
	"media/activity-bar.svg",
	"media/icon.png",
	"media/plan.tmLanguage.json",
	"media/tab-dark.svg",
	"media/tab-light.svg",
	"media/transcript.tmLanguage.json",
	"package.json",
];

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = scratchFolder();
beforeAll(() => buildFresh(folder));

it("holds the built extension with its chunks, its papers and the README's pictures, and nothing else", async () => {
	writeFileSync(path.join(folder, "dist/extension.js.map"), "left over from a development build");
	const listed = (await runTool("vsce", ["ls", "--no-dependencies"], folder)).trim().split("\n");
	const isChunk = (file: string) => /^dist\/chunks\/[\w-]+\.js$/.test(file);
	expect(listed.filter(isChunk).length).toBeGreaterThan(0);
	expect(listed.filter((file) => !isChunk(file)).toSorted()).toEqual([...shipped, ...pictures()].toSorted());
});

function pictures(): string[] {
	const readme = readFileSync(path.join(folder, "README.md"), "utf8");
	return [...new Set(readme.match(/media\/[\w-]+\.png/g))];
}
