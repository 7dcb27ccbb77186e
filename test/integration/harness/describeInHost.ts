import { beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../vscode/paths.ts";
import type { ServerOptions } from "../../vscode/server.ts";
import { bundleInHostTests } from "./bundleInHostTests.ts";
import type { InHostResult } from "./inHostTests.ts";
import { runInHost } from "./runInHost.ts";

/**
 * Makes each test in the modules of a folder a vitest test of its own. All of them run in one VS Code, which starts
 * once, with the extension of this project unless told otherwise. To be awaited at the top of a test file.
 */
export async function describeInHost(
	folder: string,
	{ extension = projectRoot, ...options }: ServerOptions & { extension?: string } = {},
): Promise<void> {
	const { file, names } = await bundleInHostTests(folder);
	describe("in the extension host", () => {
		let results: InHostResult[] = [];
		beforeAll(async () => {
			results = await runInHost(file, extension, options);
		}, 400_000);

		/** Throws what the test threw in the host, so that vitest shows that. */
		const resultOf = (module: string, name: string): InHostResult => {
			const result = results.find((one) => one.module === module && one.name === name);
			if (!result) throw new Error(`It did not run: the host ended before. See the logs beside ${file}`);
			if (result.failure) throw new Error(result.failure);
			return result;
		};
		describe.each([...names])("%s", (module, tests) => {
			it.each(tests)("%s", (name) => {
				expect(resultOf(module, name).failure).toBeUndefined();
			});
		});
	});
}
