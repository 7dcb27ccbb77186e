import type { ToolResult } from "./tool.ts";

export function succeeded(text: string): ToolResult {
	return { text, isError: false };
}

/** `text` says what happened and what to do next. */
export function failed(text: string): ToolResult {
	return { text, isError: true };
}
