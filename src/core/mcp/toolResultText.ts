import * as z from "zod";
import type { ToolResult } from "../tools/tool.ts";

/** So much of a result goes to the model, as of a command's output: the end says most. */
const headLength = 8 * 1024;
const tailLength = 23 * 1024;

const longText = z.string();
const Resource = z.looseObject({
	uri: z.string().catch(""),
	mimeType: z.string().optional().catch(undefined),
	text: longText.optional().catch(undefined),
	blob: longText.optional().catch(undefined),
});
const Part = z.discriminatedUnion("type", [
	z.looseObject({ type: z.literal("text"), text: longText }),
	z.looseObject({ type: z.literal("image"), data: longText, mimeType: z.string().catch("unknown type") }),
	z.looseObject({ type: z.literal("audio"), data: longText, mimeType: z.string().catch("unknown type") }),
	z.looseObject({ type: z.literal("resource"), resource: Resource }),
	z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.string().catch("") }),
]);

/** A result of a tool, as far as we need it. Its parts are read one by one, so that a bad one does not hide the others. */
export const CallResult = z.looseObject({
	content: z.array(z.unknown()).catch([]),
	structuredContent: z.unknown().optional(),
	isError: z.boolean().optional().catch(undefined),
});
export type CallResult = z.infer<typeof CallResult>;

/** The result as text for the model. What is no text is described; no link is followed. */
export function toToolResult({ content, structuredContent, isError = false }: CallResult): ToolResult {
	const parts = content.map(describePart);
	const hasText = content.some((part) => Part.safeParse(part).data?.type === "text");
	if (!hasText && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent, undefined, 2));
	const text = parts.join("\n");
	return { text: shortenMiddle(text === "" ? "(The tool gave no result.)" : text), isError };
}

function describePart(value: unknown): string {
	const { data: part } = Part.safeParse(value);
	switch (part?.type) {
		case "text":
			return part.text;
		case "image":
		case "audio":
			return `[${part.type}, ${part.mimeType}, ${describeSize(part.data)}: it can't be shown here]`;
		case "resource":
			return describeResource(part.resource);
		case "resource_link":
			return `[resource ${part.uri}${part.name === "" ? "" : ` (${part.name})`}: it was not opened]`;
		default:
			return "[a part of a kind that is not known]";
	}
}

function describeResource({ uri, mimeType, text, blob }: z.infer<typeof Resource>): string {
	const named = `resource ${uri}${mimeType === undefined ? "" : `, ${mimeType}`}`;
	if (text !== undefined) return `[${named}]\n${text}`;
	return `[${named}${blob === undefined ? "" : `, ${describeSize(blob)}`}: it can't be shown here]`;
}

function describeSize(base64: string): string {
	const bytes = Math.floor((base64.length * 3) / 4);
	return bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KB`;
}

function shortenMiddle(text: string): string {
	const clean = text.toWellFormed();
	if (clean.length <= headLength + tailLength) return clean;
	const missing = clean.length - headLength - tailLength;
	return `${clean.slice(0, headLength)}\n\n[… ${missing} characters left out …]\n\n${clean.slice(-tailLength)}`.toWellFormed();
}
