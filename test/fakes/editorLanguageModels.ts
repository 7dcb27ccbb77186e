/** What `vscode` calls the parts of a conversation with a model; a part of the stand-in for it. */
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 };

export class LanguageModelTextPart {
	readonly value: string;
	constructor(value: string) {
		this.value = value;
	}
}
export class LanguageModelToolCallPart {
	readonly callId: string;
	readonly name: string;
	readonly input: object;
	constructor(callId: string, name: string, input: object) {
		this.callId = callId;
		this.name = name;
		this.input = input;
	}
}
export class LanguageModelToolResultPart {
	readonly callId: string;
	readonly content: readonly unknown[];
	constructor(callId: string, content: readonly unknown[]) {
		this.callId = callId;
		this.content = content;
	}
}
export class LanguageModelChatMessage {
	readonly role: number;
	readonly content: readonly unknown[];
	constructor(role: number, content: readonly unknown[]) {
		this.role = role;
		this.content = content;
	}
}
export class LanguageModelError extends Error {
	readonly code: string;
	constructor(code: string) {
		super(`refused: ${code}`);
		this.code = code;
	}
}
