import type { ModelProvider } from "../../core/models/modelPort.ts";

/** What was typed, where it is a reference to a model of one of these providers: some servers do not list what they have. */
export function typedReference(
	text: string,
	providers: readonly Pick<ModelProvider, "id" | "model">[],
): string | undefined {
	const reference = text.trim();
	const [id, ...rest] = reference.split("/");
	const modelId = rest.join("/");
	if (modelId === "" || /\s/u.test(reference)) return undefined;
	return providers.find((provider) => provider.id === id)?.model(modelId)?.ref;
}
