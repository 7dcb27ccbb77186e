import { messageOf } from "../base/errors.ts";
import { largestTextBytes } from "../base/readRegularFile.ts";
import type { ConfigProblem } from "./configProblem.ts";
import { parseJsonc } from "./parseJsonc.ts";
import type { PositionTree } from "./positionTree.ts";
import { locateToml } from "./tomlPositions.ts";
import { deepestConfig } from "./withholdSecrets.ts";

/** What a text says and where it says it, or why nothing of it is used. */
export type ConfigText =
	| { readonly value: unknown; readonly tree: PositionTree }
	| { readonly problem: Omit<ConfigProblem, "file"> };

/** Reads a text as TOML. Looks at it before the parser does, which takes any depth. Never throws. */
export async function readToml(source: Uint8Array | string): Promise<ConfigText> {
	const decoded = decode(source);
	if ("problem" in decoded) return decoded;
	const { tree, tooDeep } = locateToml(decoded.text, deepestConfig);
	if (tooDeep) {
		const message = `The file is nested more than ${deepestConfig} levels deep here. Nothing in a configuration needs that much.`;
		return { problem: { severity: "error", code: "config.depth", message, ...tooDeep } };
	}
	// Loads on the first call, so that a window without configuration never pays for it.
	const { parse, TomlError } = await import("smol-toml");
	try {
		return { value: parse(decoded.text, { maxDepth: deepestConfig, integersAsBigInt: "asNeeded" }), tree };
	} catch (error) {
		// Only the first line: the others quote the file, secrets included.
		const reason = messageOf(error).split("\n")[0]?.replace("Invalid TOML document: ", "") ?? "";
		const at = error instanceof TomlError ? { line: error.line, column: error.column } : {};
		return refuse(
			"config.toml",
			`The file is not valid TOML: ${reason}. Nothing of it is used until this is fixed.`,
			at,
		);
	}
}

/** Reads a text as JSON with comments. Never throws. */
export function readJson(source: Uint8Array | string): ConfigText {
	const decoded = decode(source);
	if ("problem" in decoded) return decoded;
	const parsed = parseJsonc(decoded.text);
	if ("value" in parsed) return parsed;
	const message = `The file is not valid JSON: ${parsed.message}. Nothing of it is used until this is fixed.`;
	return refuse("config.json", message, parsed.at);
}

/** UTF-8 without NUL, without BOM, and not too long. */
function decode(source: Uint8Array | string): { readonly text: string } | Extract<ConfigText, { problem: unknown }> {
	const bytes = typeof source === "string" ? Buffer.from(source) : source;
	if (bytes.byteLength > largestTextBytes) {
		return refuse("config.tooLarge", `The file has ${bytes.byteLength} bytes; at most 1 MB is read. Make it shorter.`);
	}
	const nul = bytes.indexOf(0);
	if (nul >= 0) {
		const line = Buffer.from(bytes.subarray(0, nul)).toString("latin1").split("\n").length;
		return refuse("config.encoding", "The file has a NUL here, so it is not text. Save it as UTF-8.", {
			line,
			column: 1,
		});
	}
	try {
		return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		return refuse("config.encoding", "The file is not UTF-8 text. Save it with the encoding UTF-8.");
	}
}

function refuse(code: string, message: string, at: { line?: number; column?: number } = {}) {
	return { problem: { severity: "error", code, message, ...at } } as const;
}
