import { describe, expect, it } from "vitest";
import type { ModelProvider } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry, type RegistryOptions } from "../../../../src/core/models/modelRegistry.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";

function aProvider(id: string, parts: Partial<ModelProvider> = {}): ModelProvider {
	return {
		id,
		label: id,
		model: (modelId) => Object.assign(new ScriptedModel(), { ref: `${id}/${modelId}`, label: modelId }),
		...parts,
	};
}

const demo = aProvider("demo", {
	model: (modelId) =>
		modelId === "demo" ? Object.assign(new ScriptedModel(), { ref: "demo/demo", label: "Demo" }) : undefined,
});
const setUp = (id: string, parts: Partial<ModelProvider> = {}) =>
	aProvider(id, { isSetUp: async () => true, defaultModelId: async () => "best", ...parts });

function aRegistry(servers: readonly ModelProvider[], options: RegistryOptions = {}) {
	return new ModelRegistry([demo], "demo/demo", { servers: () => servers, ...options });
}

const choose = async (registry: ModelRegistry, ...references: readonly (string | undefined)[]) => {
	const { model, ...rest } = await registry.resolve(references);
	return { ref: model.ref, ...rest };
};

describe("The registry", () => {
	it("takes the first reference that is usable, and says nothing when that is the first of all", async () => {
		const registry = aRegistry([aProvider("a")], { chosen: () => ["a/chosen"] });
		expect(await choose(registry, undefined, "a/one", "a/two")).toEqual({ ref: "a/one", isFirstChoice: true });
	});

	it("goes on to what was chosen in the settings or picked, then to what is set up, then to the demo", async () => {
		const chosen: (string | undefined)[] = [undefined, "a/picked"];
		const all = [aProvider("a"), setUp("b")];
		expect((await choose(aRegistry(all, { chosen: () => chosen }))).ref).toBe("a/picked");
		chosen[0] = "a/setting";
		expect((await choose(aRegistry(all, { chosen: () => chosen }))).ref).toBe("a/setting");
		expect(await choose(aRegistry(all))).toEqual({ ref: "b/best", isFirstChoice: true });
		expect(await choose(aRegistry([aProvider("a")]))).toEqual({ ref: "demo/demo", isFirstChoice: true });
	});

	it("passes over a provider without a key with what to do, and tells that the first choice was not applied", async () => {
		const bare = aProvider("bare", { findObstacle: async () => "Bare has no key: enter it." });
		const registry = aRegistry([bare, setUp("b")]);
		expect(await choose(registry, "bare/x", "nobody/y", "bare/x")).toEqual({
			ref: "b/best",
			isFirstChoice: false,
			warning:
				"The model bare/x cannot be used: Bare has no key: enter it. The model nobody/y is not available here. best (b/best) runs instead.",
		});
	});

	it("tells why the demo runs although something is set up, and that nothing that was asked for was lost", async () => {
		const bare = setUp("bare", { findObstacle: async () => "Bare has no key: enter it." });
		expect(await choose(aRegistry([bare]))).toEqual({
			ref: "demo/demo",
			isFirstChoice: true,
			warning: "Bare has no key: enter it. Demo (demo/demo) runs instead.",
		});
		const mute = setUp("mute", { defaultModelId: async () => undefined });
		expect((await choose(aRegistry([mute]))).warning).toContain("mute does not say which models it has");
		expect(await choose(aRegistry([bare, setUp("b")]))).toEqual({ ref: "b/best", isFirstChoice: true });
	});

	it("never chooses unasked what nobody set up, and uses it when it is named", async () => {
		const registry = aRegistry([aProvider("vscode")]);
		expect((await choose(registry)).ref).toBe("demo/demo");
		expect((await choose(registry, "vscode/copilot/gpt")).ref).toBe("vscode/copilot/gpt");
	});

	it("follows the configuration without being made anew", async () => {
		let made = 0;
		const registry = new ModelRegistry([demo], "demo/demo", {
			servers: (configured) => {
				made += 1;
				return [...configured.keys()].map((id) => aProvider(id));
			},
		});
		expect(registry.find("late/x")).toBeUndefined();
		const configured = () => new Map([["late", { value: { baseUrl: "https://a.example/v1" } }]]);
		registry.configure(configured());
		registry.configure(configured());
		expect(registry.find("late/x")?.ref).toBe("late/x");
		expect(made).toBe(2);
		registry.configure(new Map());
		expect(registry.find("late/x")).toBeUndefined();
	});
});
