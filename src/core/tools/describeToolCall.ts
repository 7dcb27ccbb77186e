import * as z from "zod";
import type { ToolCall } from "../models/modelPort.ts";
import { findTool } from "./findTool.ts";
import { shorten } from "./shorten.ts";
import type { Tool } from "./tool.ts";

const maxLength = 120;

/** The field that says most about a call, for a tool that is not there or an input that does not fit it. */
const TellingInput = z.looseObject({
	path: z.string().optional().catch(undefined),
	command: z.string().optional().catch(undefined),
	url: z.string().optional().catch(undefined),
	query: z.string().optional().catch(undefined),
	pattern: z.string().optional().catch(undefined),
});

/** What people see of a call while it runs, on one line: `read_file src/cart.ts`. Works for any call. */
export function describeToolCall(call: ToolCall, tools: readonly Tool[]): string {
	const tool = findTool(call.toolName, tools);
	const prepared = tool?.prepare(call.input);
	const subject = prepared?.ok ? prepared.subject : guessSubject(call.input);
	const line = `${tool?.name ?? call.toolName} ${subject}`.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
	return shorten(line, maxLength);
}

function guessSubject(input: unknown): string {
	const { data } = TellingInput.safeParse(input);
	return data?.path ?? data?.command ?? data?.url ?? data?.query ?? data?.pattern ?? "";
}
