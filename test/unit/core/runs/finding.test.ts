import { describe, expect, it } from "vitest";
import { readFindings, withoutFindings } from "../../../../src/core/runs/finding.ts";

const finding = { claim: "It rounds down.", evidence: "src/cart.ts:12", confidence: 0.9 };
const block = (text: string) => `\`\`\`findings\n${text}\n\`\`\``;
const answer = (text: string) => `All is read.\n\n${block(text)}\n\nSUMMARY: Seven.`;

describe("the findings of an answer", () => {
	it("are its last block of that name, whatever its lines end with", () => {
		const text = `${answer("[]")}\n${block(JSON.stringify([finding], null, 2))}`;
		expect(readFindings(text)).toEqual({ ok: true, findings: [finding] });
		expect(readFindings(text.replaceAll("\n", "\r\n"))).toEqual({ ok: true, findings: [finding] });
		expect(readFindings(answer("[]"))).toEqual({ ok: true, findings: [] });
	});

	it("keep nothing that nobody asked for", () => {
		const text = answer(JSON.stringify([{ ...finding, approved: true, claim: " It rounds down. " }]));
		expect(readFindings(text)).toEqual({ ok: true, findings: [finding] });
	});

	it.each([
		["Nothing.", "are missing"],
		["```findings\n[]", "are missing"],
		["```json\n[]\n```", "are missing"],
		[answer("[oops"), "are no valid JSON"],
		[answer("{}"), "cannot be used (list: "],
		[answer('[{"claim":"x"}]'), "cannot be used (0.evidence: "],
		[answer(JSON.stringify([finding, { ...finding, claim: " " }])), "cannot be used (1.claim: "],
		[answer(JSON.stringify([{ ...finding, confidence: 1.1 }])), "cannot be used (0.confidence: "],
		[answer(JSON.stringify([{ ...finding, confidence: "high" }])), "cannot be used (0.confidence: "],
	])("in %j %s", (text, problem) => {
		expect(readFindings(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
	});

	it("are left out of what is summarised, and one that was never closed is left in", () => {
		expect(withoutFindings(answer("[]"))).toBe("All is read.\n\n\nSUMMARY: Seven.");
		expect(withoutFindings("a\n```findings\n[]")).toBe("a\n```findings\n[]");
		expect(withoutFindings("a\n```ts\nb\n```")).toBe("a\n```ts\nb\n```");
	});

	it("are looked for once, however many blocks are begun", () => {
		expect(readFindings("```findings\n".repeat(200_000))).toMatchObject({ ok: false });
	});
});
