/** The corpus of addresses and URLs that must not be reached: by their text, and by where their names lead. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createPermissionGate } from "../../../../src/core/permissions/permissionGate.ts";
import { directWeb } from "../../../../src/core/web/directWeb.ts";
import { fetchPage } from "../../../../src/core/web/fetchPage.ts";
import { judgeAddress } from "../../../../src/core/web/judgeAddress.ts";
import { PublicWeb } from "../../../fakes/publicWeb.ts";

const read = (name: string) =>
	JSON.parse(readFileSync(new URL(`../../../corpus/web/${name}`, import.meta.url), "utf8"));
const addresses = z.object({ refused: z.array(z.string()), public: z.array(z.string()) }).parse(read("addresses.json"));
const urls = z
	.array(z.object({ id: z.string(), url: z.string(), verdict: z.enum(["deny", "ask"]), says: z.string() }))
	.parse(read("urls.json"));

const gate = createPermissionGate({
	rules: { deny: [], ask: [], allow: [] },
	edits: "ask",
	isRestricted: false,
	isPlanMode: false,
	roots: [],
	homeDir: "/nowhere",
	dataDir: "/nowhere/data",
	answers: () => [],
});
const fetchOf = (url: string, web: PublicWeb) => fetchPage(url, web, new AbortController().signal);

describe("an address", () => {
	it.each(addresses.refused)("%j is not of the public internet", (address) => {
		expect(judgeAddress(address)).toBeTypeOf("string");
	});

	it.each(addresses.public)("%s is of the public internet", (address) => {
		expect(judgeAddress(address)).toBeUndefined();
	});
});

describe("a URL", () => {
	it.each(urls)("$id: $url is judged by the gate: $verdict", async ({ url, verdict, says }) => {
		const decision = await gate.decide({ kind: "fetch", url }, "web_fetch");
		expect(decision.verdict).toBe(verdict);
		expect(JSON.stringify(decision)).toContain(says);
	});

	it.each(urls.filter(({ verdict }) => verdict === "deny"))(
		"$id: $url is not fetched, whoever allowed it, and nothing is connected to",
		async ({ url, says }) => {
			const web = new PublicWeb(async () => ["93.184.216.34"]);
			expect(await fetchOf(url, web)).toEqual({ kind: "failed", problem: expect.stringContaining(says) });
			expect(web.connections).toEqual([]);
		},
	);

	it.each(addresses.refused.filter((address) => address !== ""))(
		"U24: a public name that leads to %s is not fetched, and nothing is connected to",
		async (address) => {
			const web = new PublicWeb(async () => ["93.184.216.34", address]);
			expect(await fetchOf("https://127.0.0.1.nip.io/", web)).toEqual({
				kind: "failed",
				problem: expect.stringContaining(`leads to ${address}, which is`),
			});
			expect(web.connections).toEqual([]);
		},
	);
});

describe("this machine's own network", () => {
	it("gives a name all its addresses, and lets go of a connection that leads to a private one", async () => {
		expect((await directWeb.resolve("localhost")).every((address) => judgeAddress(address) === "this machine")).toBe(
			true,
		);
		const web = new PublicWeb();
		await web.serve("a:1", (_, response) => void response.end());
		const socket = directWeb.connect("127.0.0.1", web.portOf("a:1"));
		const error = await new Promise((resolve) => socket.once("error", resolve));
		expect(error).toMatchObject({ message: "the connection leads to this machine" });
	});
});
