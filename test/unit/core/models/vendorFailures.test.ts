/** How the failures of each vendor come to the port, against a server that fails as that vendor does. */
import { describe, expect, it } from "vitest";
import type { ModelError } from "../../../../src/core/models/modelPort.ts";
import type { VendorWire } from "../../../../src/core/models/vendors.ts";
import { type ScriptedReply } from "../../../fakes/modelServer.ts";
import { spokenVendors, vendorWires } from "../../../fakes/vendorSpeech.ts";
import { askVendor, readCalls, untilSaid } from "./askVendor.ts";
import { callsIn, canaryKey, errorIn, finishOf } from "./askWire.ts";

const half = (wire: VendorWire) => untilSaid(wire, { text: ["One ", "two"], calls: readCalls }, "two");
const network = { kind: "network", retryable: true } as const;
const busy = { kind: "overload", retryable: true, message: "busy [secret]" } as const;

const faults: Readonly<Record<string, readonly [(wire: VendorWire) => ScriptedReply, Partial<ModelError>]>> = {
	"a wrong key, which it echoes": [
		(wire) => spokenVendors[wire].failures.key(`No such key: ${canaryKey}`),
		{ kind: "auth", retryable: false, message: "No such key: [secret]" },
	],
	"a limit that says how long to wait": [
		(wire) => spokenVendors[wire].failures.limit("Too many requests"),
		{ kind: "rate-limit", retryable: true, statusCode: 429, retryAfterMs: 7000, message: "Too many requests" },
	],
	"its own trouble": [
		(wire) => spokenVendors[wire].failures.trouble("Sorry"),
		{ kind: "overload", retryable: true, statusCode: 500, message: "Sorry" },
	],
	"a conversation that is too long": [
		(wire) => spokenVendors[wire].failures.overflow,
		{ kind: "context-overflow", retryable: false },
	],
	"an unknown model": [
		(wire) => spokenVendors[wire].failures.model,
		{ kind: "not-found", retryable: false, statusCode: 404 },
	],
	"a redirect, which is not followed": [
		() => ({ status: 307, headers: { location: "https://evil.example/x" } }),
		{ kind: "bad-request", retryable: false, statusCode: 307 },
	],
	"a reset before the headers": [() => ({ before: "cut" }), network],
	"a cut stream": [(wire) => ({ body: half(wire), ending: "cut" }), network],
	"a cut in the middle of an event": [
		(wire) => ({
			body: [
				...half(wire),
				...half(wire)
					.slice(-1)
					.map((event) => event.slice(0, 20)),
			],
			ending: "cut",
		}),
		network,
	],
	"a stream that ends without a reason": [(wire) => ({ body: half(wire) }), network],
	"an empty answer": [() => ({ body: [] }), { kind: "protocol", retryable: true, message: "The answer is empty." }],
	"a web page": [
		() => ({ headers: { "content-type": "text/html" }, body: ["<html>"] }),
		{ kind: "protocol", retryable: true },
	],
	nonsense: [() => ({ headers: { "content-type": "text/plain" }, body: ["nonsense"] }), { kind: "protocol" }],
	"its overload instead of an answer": [
		(wire) => ({ body: [spokenVendors[wire].overload(`busy ${canaryKey}`)] }),
		busy,
	],
	"its overload in the middle of the answer": [
		(wire) => ({ body: [...half(wire), spokenVendors[wire].overload(`busy ${canaryKey}`)] }),
		busy,
	],
};

describe.each(vendorWires)("A failure of %s", (wire) => {
	it.each(Object.keys(faults))("that is %s", async (name) => {
		const [reply, expected] = faults[name] ?? [() => ({}), {}];
		const { parts } = await askVendor(wire, reply(wire));
		expect(errorIn(parts)).toMatchObject(expected);
		expect(finishOf(parts)?.finishReason).toBe("error");
		expect(callsIn(parts)).toEqual([]);
	});

	it("that is a cut after the whole answer is none", async () => {
		const { parts } = await askVendor(wire, { body: spokenVendors[wire].speak({ text: ["One"] }), ending: "cut" });
		expect([errorIn(parts), finishOf(parts)?.finishReason]).toEqual([undefined, "stop"]);
	});

	it("that is a conversation no JSON can hold is told before anything is sent", async () => {
		const input: Record<string, unknown> = {};
		input["self"] = input;
		const toolCalls = [{ toolCallId: "a", toolName: "read_file", input }];
		const { parts, requests } = await askVendor(wire, {}, { messages: [{ role: "assistant", text: "", toolCalls }] });
		expect(errorIn(parts)).toMatchObject({ kind: "bad-request", retryable: false });
		expect(requests).toEqual([]);
	});
});
