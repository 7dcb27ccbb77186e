import * as vscode from "vscode";
import type { ModelProvider } from "../../core/models/modelPort.ts";
import { Consents } from "./lmConsents.ts";
import type { LmMessage, LmPart } from "./lmMessages.ts";
import { type LmChat, type LmSource, streamLm } from "./lmStream.ts";

const justification = "Muster runs the subagents that you spawn on this model.";

/** Whatever VS Code's own API offers, e.g. the models of Copilot: `vscode/<vendor>/<id or family>`. Nothing is asked before it is used. */
export function createLmProvider(): ModelProvider {
	const consents = new Consents();
	/** By reference: VS Code says it of a model that is at hand, which none is before its first request. */
	const windows = new Map<string, number>();
	return {
		id: "vscode",
		label: "VS Code",
		async findObstacle() {
			return canSelect() ? undefined : "this editor offers no language models to extensions; choose another one.";
		},
		model(modelId) {
			const [vendor = "", ...rest] = modelId.split("/");
			const name = rest.join("/");
			if (vendor === "" || name === "") return undefined;
			const source: Omit<LmSource, "open"> = { codeOf, consents };
			const open = async () => {
				const chat = await findChat(vendor, name);
				if (chat && chat.maxInputTokens > 0) windows.set(modelId, chat.maxInputTokens);
				return chat && toChat(chat);
			};
			return {
				ref: `vscode/${modelId}`,
				label: name,
				get contextWindow() {
					return windows.get(modelId);
				},
				stream: (request) => streamLm({ ...source, open }, request),
			};
		},
	};
}

/** All that can be chosen now; empty where there is no such API. */
export async function listLmModels(): Promise<readonly vscode.LanguageModelChat[]> {
	return canSelect() ? vscode.lm.selectChatModels() : [];
}

/** Forks of VS Code, and old ones, may lack it. */
function canSelect(): boolean {
	return typeof (vscode as { lm?: Partial<typeof vscode.lm> }).lm?.selectChatModels === "function";
}

async function findChat(vendor: string, name: string): Promise<vscode.LanguageModelChat | undefined> {
	const models = canSelect() ? await vscode.lm.selectChatModels({ vendor }) : [];
	return models.find(({ id }) => id === name) ?? models.find(({ family }) => family === name);
}

function toChat(model: vscode.LanguageModelChat): LmChat {
	const cancellation = new vscode.CancellationTokenSource();
	return {
		name: `${model.vendor}/${model.id}`,
		countTokens: (text) => model.countTokens(text),
		async send(messages, tools) {
			const options = {
				justification,
				...(tools.length > 0 && {
					tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
				}),
			};
			const { stream } = await model.sendRequest(messages.map(toMessage), options, cancellation.token);
			return readParts(stream);
		},
		cancel() {
			cancellation.cancel();
			cancellation.dispose();
		},
	};
}

async function* readParts(stream: AsyncIterable<unknown>): AsyncGenerator<LmPart> {
	for await (const part of stream) {
		if (part instanceof vscode.LanguageModelTextPart) yield { type: "text", text: part.value };
		if (part instanceof vscode.LanguageModelToolCallPart)
			yield { type: "call", id: part.callId, name: part.name, input: part.input };
	}
}

function toMessage({ role, parts }: LmMessage): vscode.LanguageModelChatMessage {
	const roles = vscode.LanguageModelChatMessageRole;
	return new vscode.LanguageModelChatMessage(role === "user" ? roles.User : roles.Assistant, parts.map(toPart));
}

function toPart(part: LmPart) {
	switch (part.type) {
		case "text":
			return new vscode.LanguageModelTextPart(part.text);
		case "call":
			return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
		case "result":
			return new vscode.LanguageModelToolResultPart(part.id, [new vscode.LanguageModelTextPart(part.text)]);
	}
}

/** By class: names are shortened in VS Code's build. */
function codeOf(error: unknown): string | undefined {
	return error instanceof vscode.LanguageModelError ? error.code : undefined;
}
