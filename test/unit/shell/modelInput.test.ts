import { describe, expect, it } from "vitest";
import { findKeyProblem } from "../../../src/core/models/providerKey.ts";
import { createVscodeSecrets } from "../../../src/shell/adapters/vscodeSecrets.ts";
import { modelLabel } from "../../../src/shell/modelLabel.ts";
import { findAddressProblem, findProviderIdProblem } from "../../../src/shell/models/serverInput.ts";
import { typedReference } from "../../../src/shell/models/typedReference.ts";

describe("what people type about models", () => {
	it.each(["https://openrouter.ai/api/v1", "http://127.0.0.1:8080/v1", "http://localhost:1234"])(
		"can be the address %s",
		(address) => expect(findAddressProblem(address)).toBeUndefined(),
	);

	it.each(["", "openrouter.ai", "file:///etc/passwd", "https://user:key@host/v1", "http://models.example/v1"])(
		"cannot be the address %j",
		(address) => expect(findAddressProblem(address)).toBeDefined(),
	);

	it("is a name for a server where it fits before a slash and nobody has it", () => {
		const taken = new Set(["mine"]);
		expect(["openrouter", "my-server.2"].map((id) => findProviderIdProblem(id, taken))).toEqual([undefined, undefined]);
		for (const id of ["", "Mine", "a/b", "demo", "vscode", "openai", "mine", "x".repeat(65)])
			expect(findProviderIdProblem(id, taken)).toBeDefined();
	});

	it("is a key where it is printable ASCII without spaces, and is never repeated", () => {
		expect(findKeyProblem(" sk-abc/+=\n")).toBeUndefined();
		for (const key of ["", "  ", "sk canary", "sk-“canary”", "sk-ca\nnary"]) {
			expect(findKeyProblem(key)).toBeDefined();
			expect(findKeyProblem(key)).not.toContain("canary");
		}
	});

	it("is a reference where a provider of that name has such a model, for servers that list nothing", () => {
		const model = (modelId: string) => ({ ref: `mine/${modelId}`, label: modelId, stream: () => [] as never }) as const;
		const providers = [{ id: "mine", model }];
		expect(typedReference(" mine/org/model ", providers)).toBe("mine/org/model");
		for (const text of ["mine", "mine/", "other/x", "mine/a b", ""]) {
			expect(typedReference(text, providers)).toBeUndefined();
		}
	});
});

describe("a key in Secret Storage", () => {
	it("is found under its provider and origin only", async () => {
		const kept = new Map<string, string>();
		const secrets = createVscodeSecrets({
			get: async (name) => kept.get(name),
			store: async (name, value) => void kept.set(name, value),
			delete: async (name) => void kept.delete(name),
		});
		const place = { providerId: "mine", origin: "https://a.example" };
		await secrets.set(place, "key");
		expect(await secrets.get(place)).toBe("key");
		expect(await secrets.get({ ...place, origin: "https://b.example" })).toBeUndefined();
		expect(await secrets.get({ ...place, providerId: "other" })).toBeUndefined();
		await secrets.delete(place);
		expect(kept.size).toBe(0);
	});
});

describe("the name of a model for people", () => {
	it("is Demo for the demo model alone", () => {
		const references = ["demo/demo", "vscode/copilot/demo", "demos/x", "anthropic/claude-x"];
		expect(references.map(modelLabel)).toEqual(["Demo", ...references.slice(1)]);
	});
});
