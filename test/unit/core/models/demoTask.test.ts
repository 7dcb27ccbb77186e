import { describe, expect, it } from "vitest";
import { readTask } from "../../../../src/core/models/demoTask.ts";

describe("readTask", () => {
	it.each([
		["Write src/new.ts", true],
		["Create a README", true],
		["Please fix the rounding", true],
		["Find the bug and fix it.", true],
		["Look around. Rename lineTotal to itemTotal.", true],
		["Could you add a test?", true],
		["Explain how to add an item", false],
		["What did the last change do?", false],
		["Review the code, but do not edit anything", false],
		["Write a short summary of the project", false],
		["Write a summary to docs/summary.md", true],
		["帮我分析这个项目的代码架构", false],
	])("sees whether %j asks for a change: %s", (text, wantsChange) => {
		expect(readTask(text).wantsChange).toBe(wantsChange);
	});

	it.each([
		["Compare src/cart.js with README.md.", ["src/cart.js", "README.md"]],
		["See `.agents/config.toml` (and vite.config.ts)", [".agents/config.toml", "vite.config.ts"]],
		["Read ../secret.txt, /etc/passwd.txt and https://example.org/a.html", []],
		["e.g. version 1.2 of it", []],
		["请读README.md文件", ["README.md"]],
	])("finds the paths in %j", (text, paths) => {
		expect(readTask(text).paths).toEqual(paths);
	});

	it.each([
		['Explain "volume threshold" and lineTotal here', "volume threshold"],
		["Explain lineTotal and computations", "lineTotal"],
		["Find TODO comments in the README", "TODO"],
		["Check whether the discounts follow the rules", "discount"],
		["Where is `formatAmount()` used?", "formatAmount"],
		["Что делает функция скидки", "функция"],
		["What is this about?", undefined],
		["帮我分析这个项目的代码架构", undefined],
	])("finds the most telling word of %j", (text, word) => {
		expect(readTask(text).words[0]).toBe(word);
	});

	it("takes the task from its block, and more files from the context", () => {
		const task = readTask("Context:\nThe prices are in src/price.js. Fix nothing.\n\nTask:\nExplain the rounding");
		expect(task).toEqual({
			text: "Explain the rounding",
			paths: ["src/price.js"],
			words: ["rounding"],
			wantsChange: false,
		});
	});
});
