import { describe, expect, it } from "vitest";
import { textOfMessages, toLmMessages, toModelError } from "../../../src/shell/adapters/lmMessages.ts";

const text = (value: string) => ({ type: "text", text: value });

describe("a conversation for VS Code's models", () => {
	it("begins with the system prompt in the first message of the user, because there is no system role", () => {
		expect(toLmMessages({ system: "Be brief.", messages: [{ role: "user", text: "Hello" }] })).toEqual([
			{ role: "user", parts: [text("Be brief."), text("Hello")] },
		]);
	});

	it("has each result right after the calls, and one message per role in a row", () => {
		const messages = toLmMessages({
			system: "",
			messages: [
				{ role: "user", text: "Look" },
				{
					role: "assistant",
					text: "I look.",
					toolCalls: [
						{ toolCallId: "1", toolName: "read_file", input: { path: "a" } },
						{ toolCallId: "2", toolName: "grep", input: "broken" },
					],
				},
				{ role: "tool", toolCallId: "1", toolName: "read_file", text: "seven", isError: false },
				{ role: "tool", toolCallId: "2", toolName: "grep", text: "no input", isError: true },
				{ role: "user", text: "Go on" },
				{ role: "assistant", text: "", toolCalls: [] },
			],
		});
		expect(messages).toEqual([
			{ role: "user", parts: [text("Look")] },
			{
				role: "assistant",
				parts: [
					text("I look."),
					{ type: "call", id: "1", name: "read_file", input: { path: "a" } },
					{ type: "call", id: "2", name: "grep", input: {} },
				],
			},
			{
				role: "user",
				parts: [
					{ type: "result", id: "1", text: "seven" },
					{ type: "result", id: "2", text: "Error: no input" },
					text("Go on"),
				],
			},
		]);
		expect(textOfMessages(messages)).toBe(
			'Look\nI look.\nread_file {"path":"a"}\ngrep {}\nseven\nError: no input\nGo on',
		);
	});
});

describe("an error of VS Code's models", () => {
	it.each([
		["NoPermissions", "auth"],
		["Blocked", "quota"],
		["NotFound", "not-found"],
	])("with the code %s is final, and says what to do", (code, kind) => {
		const error = toModelError(code, "No.");
		expect(error).toMatchObject({ kind, retryable: false });
		expect(error.message).toMatch(/Muster: Pick Model.* No\.$/u);
	});

	it.each([
		["Request failed: 429 Too Many Requests", "rate-limit", true],
		["Rate limit exceeded", "rate-limit", true],
		["The model is overloaded", "overload", true],
		["getaddrinfo ENOTFOUND api.example", "network", true],
		["You have used up your premium requests", "quota", false],
		["Message exceeds the maximum context length", "context-overflow", false],
		["Response got filtered", "content-filter", false],
		["You are not signed in", "auth", false],
		["Something odd", "unknown", true],
		["", "unknown", true],
	])("that only says %j is %s", (message, kind, retryable) => {
		expect(toModelError(undefined, message)).toMatchObject({ kind, retryable });
		expect(toModelError("Unknown", message)).toMatchObject({ kind, retryable });
		expect(toModelError(undefined, message).message).not.toBe("");
	});
});
