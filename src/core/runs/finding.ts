import * as z from "zod";
import { messageOf } from "../base/errors.ts";

const text = z.string().trim().min(1);

const Finding = z.object({
	claim: text,
	/** What shows it: a file and line, an address, an output. */
	evidence: text,
	/** From 0 to 1. */
	confidence: z.number().min(0).max(1),
});

/** One thing that a run claims to have found out. */
export type Finding = Readonly<z.infer<typeof Finding>>;

export type ReadFindings =
	| { readonly ok: true; readonly findings: readonly Finding[] }
	/** As the rest of a sentence about the findings. */
	| { readonly ok: false; readonly problem: string };

/** The findings in an answer: the last code block of that name. All of them are right, or none is taken. */
export function readFindings(answer: string): ReadFindings {
	const body = divide(answer).blocks.at(-1);
	if (body === undefined) return { ok: false, problem: "are missing" };
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch (error) {
		return { ok: false, problem: `are no valid JSON (${messageOf(error).slice(0, 200)})` };
	}
	const parsed = z.array(Finding).safeParse(value);
	if (parsed.success) return { ok: true, findings: parsed.data };
	const [issue] = parsed.error.issues;
	return { ok: false, problem: `cannot be used (${issue?.path.join(".") || "list"}: ${issue?.message})` };
}

/** An answer as it is summarised. */
export function withoutFindings(answer: string): string {
	return divide(answer).rest;
}

/** The code blocks of findings, and what is left without them. */
function divide(answer: string): { readonly blocks: readonly string[]; readonly rest: string } {
	const blocks: string[] = [];
	const rest: string[] = [];
	let open: string[] | undefined;
	for (const line of answer.split("\n")) {
		const mark = line.trim();
		if (open === undefined) {
			if (mark === "```findings") open = [];
			else rest.push(line);
		} else if (mark === "```") {
			blocks.push(open.join("\n"));
			open = undefined;
		} else open.push(line);
	}
	// One that was never closed is none.
	return { blocks, rest: [...rest, ...(open ? ["```findings", ...open] : [])].join("\n") };
}
