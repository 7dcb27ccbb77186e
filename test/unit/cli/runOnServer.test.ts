import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { speak, startModelServer } from "../../fakes/modelServer.ts";
import { runProgram } from "../../fakes/runProgram.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

describe("muster run --model", () => {
	it("runs on a server of home's config.toml with the key that env_key names, and prints no key", async () => {
		const answers = [
			speak("chat", { calls: [{ id: "c1", name: "read_file", pieces: ['{"path":"notes.txt"}'] }] }),
			speak("chat", { text: ["It says seven."] }),
		];
		const server = await startModelServer({ script: (_, index) => ({ body: answers[index] ?? [] }) });
		onTestFinished(() => server.close());
		vi.stubEnv("MUSTER_TEST_LOOP_KEY", "key-of-loop");
		onTestFinished(() => void vi.unstubAllEnvs());
		const home = temporaryFolder({
			".agents/config.toml": `[model_providers.loop]\nbase_url = "${server.url}"\nenv_key = "MUSTER_TEST_LOOP_KEY"\n`,
		});
		const repo = temporaryFolder({
			".agents/agents/scout.md": "---\nname: scout\ndescription: Looks.\n---\nYou look.\n",
			"notes.txt": "seven\n",
		});
		const places = ["--home", home, "--data", temporaryFolder(), "--json"];
		const { code, out, err } = await runProgram(
			main,
			["run", "scout", "Read notes.txt", "--model", "loop/some-model", ...places],
			repo,
		);
		expect({ code, err }).toEqual({ code: 0, err: "" });
		const [spawned] = out.split("\n").map((line) => (line === "" ? {} : (JSON.parse(line) as Record<string, unknown>)));
		expect(spawned).toMatchObject({ type: "subagent.spawned" });
		expect(out).toContain('"resolvedModel":"loop/some-model"');
		expect(JSON.stringify(server.requests[1]?.body)).toContain("seven");
		expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
			Array.from({ length: 2 }, () => "Bearer key-of-loop"),
		);
		expect(out).not.toContain("key-of-loop");
	});

	it("searches the web with the service that the environment names", async () => {
		const call = { id: "c1", name: "web_search", pieces: ['{"query":"pens"}'] };
		const answers = [speak("chat", { calls: [call] }), speak("chat", { text: ["Found."] })];
		const found = JSON.stringify({ results: [{ title: "Pens", url: "https://shop.example/", content: "Ink" }] });
		const server = await startModelServer({
			script: ({ path }) => ({ body: path.startsWith("/v1/search?q=pens") ? [found] : (answers.shift() ?? []) }),
		});
		onTestFinished(() => server.close());
		const environment = {
			MUSTER_TEST_LOOP_KEY: "key-of-loop",
			MUSTER_WEB_SEARCH: "searxng",
			MUSTER_WEB_SEARCH_URL: server.url,
		};
		for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
		onTestFinished(() => void vi.unstubAllEnvs());
		const home = temporaryFolder({
			".agents/config.toml": `[model_providers.loop]\nbase_url = "${server.url}"\nenv_key = "MUSTER_TEST_LOOP_KEY"\n`,
		});
		const repo = temporaryFolder({
			".agents/agents/scout.md": "---\nname: scout\ndescription: Looks.\ntools: [web_search]\n---\nYou look.\n",
		});
		const places = ["--home", home, "--data", temporaryFolder()];
		const words = ["run", "scout", "Search", "--model", "loop/some-model", "--allow", "web_search", ...places];
		const { code, err } = await runProgram(main, words, repo);
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("https://shop.example/");
	});

	it("says on the command line which key is missing, and runs on the next in line", async () => {
		const home = temporaryFolder({
			".agents/config.toml":
				'[model_providers.loop]\nbase_url = "https://a.example/v1"\nenv_key = "MUSTER_TEST_NO_KEY"\n',
		});
		const repo = temporaryFolder({
			".agents/agents/scout.md": "---\nname: scout\ndescription: Looks.\n---\nYou look.\n",
		});
		const places = ["--home", home, "--data", temporaryFolder()];
		const { code, err } = await runProgram(main, ["run", "scout", "Look", "--model", "loop/x", ...places], repo);
		expect(code).toBe(0);
		expect(err).toContain("loop has no key");
		expect(err).toContain("MUSTER_TEST_NO_KEY");
		expect(err).toContain("Demo (demo/demo) runs instead.");
	});
});
