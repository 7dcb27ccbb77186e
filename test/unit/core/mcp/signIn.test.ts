import { describe, expect, it, vi } from "vitest";
import type { McpServer } from "../../../../src/core/mcp/mcpServers.ts";
import { noSecrets } from "../../../../src/core/ports/secrets.ts";
import type { SignInBrowser } from "../../../../src/core/ports/signInBrowser.ts";
import { type AuthorizationOptions, AuthorizationServer, TestBrowser } from "../../../fakes/authorizationServer.ts";
import { aFaultHttpServer, aPool, aServer, failureOf } from "../../../fakes/faultServers.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";

vi.setConfig({ testTimeout: 20_000 });

const from = (file: string) => ({ layer: "home", file, shadows: [], reason: "" }) as const;
const signedServer = (url: string, rest: Partial<McpServer> = {}) =>
	aServer({ url }, { takesSignIn: true, provenance: from("/home/.agents/config.toml"), ...rest });

interface Setup {
	readonly authorization?: AuthorizationOptions;
	readonly browser?: SignInBrowser;
	readonly clock?: ManualClock;
}

async function setUp({ authorization = {}, browser = new TestBrowser(), clock }: Setup = {}) {
	const at = await AuthorizationServer.start(authorization);
	const secrets = new MemorySecrets();
	const own = aPool({ secrets, browser, ...(clock && { clock }) });
	const lease = await own.use(signedServer(at.url));
	return { at, secrets, lease, ...own, signIn: () => own.pool.signIn(lease.id) };
}

describe("a server that wants a sign-in", () => {
	it("is left out with that word, opens no browser, and is not asked again before somebody has signed in", async () => {
		const browser = new TestBrowser();
		const { at, pool, lease } = await setUp({ browser });
		await expect(lease.tools()).rejects.toThrow('"srv" wants you to sign in. Use Sign In on its row');
		await expect(lease.call("echo", {})).rejects.toThrow("wants you to sign in");
		expect(pool.servers).toMatchObject([{ state: "signInNeeded", lastError: expect.stringContaining("sign in") }]);
		expect(at.asked).toEqual(["POST /mcp"]);
		expect(browser.pages).toEqual([]);
	});

	it("says on the command line what can be done there", async () => {
		const { url } = await AuthorizationServer.start();
		const lease = await aPool().use(signedServer(url));
		await expect(lease.tools()).rejects.toThrow(/Sign in from the editor, or name .* in bearer_token_env_var/u);
	});

	it("works after a sign-in, which registers Muster, proves the code to be its own and keeps the token for the origin", async () => {
		const browser = new TestBrowser();
		const { at, pool, lease, secrets, signIn } = await setUp({ browser });
		await failureOf(lease.tools());
		await signIn();
		expect(pool.servers).toMatchObject([{ state: "ready", toolCount: 1, lastError: undefined }]);
		expect(await lease.call("echo", { a: 1 })).toMatchObject({ text: '{"a":1}' });
		const [page] = browser.pages;
		expect(page?.searchParams.get("code_challenge_method")).toBe("S256");
		expect(page?.searchParams.get("scope")).toBe("read");
		expect(page?.searchParams.get("resource")).toBe(at.url);
		expect([at.count("POST /register"), at.count("POST /token")]).toEqual([1, 1]);
		expect([...secrets.kept.keys()]).toEqual([`mcp-sign-in:["/home/.agents/config.toml","srv"] ${at.origin}`]);
	});

	it("knows the sign-in after a restart of Muster, and not in the name of another server, file or origin", async () => {
		const { at, secrets, signIn } = await setUp();
		await signIn();
		const other = await AuthorizationServer.start();
		const { use } = aPool({ secrets });
		expect((await (await use(signedServer(at.url))).tools()).tools).toHaveLength(1);
		const strangers = [
			signedServer(at.url, { name: "other" }),
			signedServer(at.url, { provenance: from("/repo/.agents/config.toml") }),
			signedServer(other.url),
		];
		for (const stranger of strangers)
			await expect((await use(stranger)).tools()).rejects.toThrow("wants you to sign in");
	});

	it("is signed in to once, however many ask at the same time", async () => {
		const browser = new TestBrowser();
		const { at, signIn } = await setUp({ browser });
		await Promise.all([signIn(), signIn(), signIn()]);
		expect(browser.pages).toHaveLength(1);
		expect(at.count("POST /token")).toBe(1);
	});

	it("renews a token that was refused, once for all calls that find out, and asks nobody", async () => {
		const browser = new TestBrowser();
		const { at, lease, signIn } = await setUp({ browser });
		await signIn();
		at.revokeTokens();
		const answers = await Promise.all([1, 2, 3].map((each) => lease.call("echo", { each })));
		expect(answers.map(({ text }) => text)).toEqual(['{"each":1}', '{"each":2}', '{"each":3}']);
		expect(at.count("POST /token")).toBe(2);
		expect(browser.pages).toHaveLength(1);
	});

	it("that refuses each token it gives is signed in to once, renewed once, and then waits for a person", async () => {
		const browser = new TestBrowser();
		const { at, pool, lease, signIn } = await setUp({ browser, authorization: { refusesTokens: true } });
		await expect(signIn()).rejects.toThrow("wants you to sign in");
		expect(browser.pages).toHaveLength(1);
		expect(at.count("POST /token")).toBe(2);
		expect(pool.servers).toMatchObject([{ state: "signInNeeded" }]);
		const asked = at.asked.length;
		await expect(lease.call("echo", {})).rejects.toThrow("wants you to sign in");
		expect(at.asked).toHaveLength(asked);
		expect(browser.pages).toHaveLength(1);
	});

	it("renews a token before it ends", async () => {
		const clock = new ManualClock();
		const { at, lease, signIn } = await setUp({ clock, authorization: { expiresIn: 60 } });
		await signIn();
		await lease.call("echo", {});
		expect(at.count("POST /token")).toBe(1);
		const before = at.count("POST /mcp");
		clock.advance(55_000);
		await lease.call("echo", {});
		expect([at.count("POST /token"), at.count("POST /mcp") - before]).toEqual([2, 1]);
	});

	it.for([
		{ what: "has no renewal", authorization: { refreshes: false } },
		{ what: "is refused its renewal", authorization: {} },
	])("wants a person again when a token has ended that $what, and works after that", async ({ authorization }) => {
		const { at, pool, lease, signIn } = await setUp({ authorization });
		await signIn();
		at.revokeTokens({ andRefresh: true });
		await expect(lease.call("echo", {})).rejects.toThrow("wants you to sign in");
		expect(pool.servers).toMatchObject([{ state: "signInNeeded" }]);
		const asked = at.asked.length;
		await expect(lease.tools()).rejects.toThrow("wants you to sign in");
		expect(at.asked).toHaveLength(asked);
		await signIn();
		expect(await lease.call("echo", { a: 1 })).toMatchObject({ text: '{"a":1}' });
	});

	it("goes on by itself when another window has signed in", async () => {
		const { at, secrets, lease } = await setUp();
		await failureOf(lease.tools());
		const other = aPool({ secrets, browser: new TestBrowser() });
		await other.pool.signIn((await other.use(signedServer(at.url))).id);
		expect((await lease.tools()).tools).toHaveLength(1);
	});

	it("is a stranger again after signing out", async () => {
		const { pool, lease, secrets, signIn } = await setUp();
		await signIn();
		await pool.signOut(lease.id);
		expect(secrets.kept.size).toBe(0);
		expect(pool.servers).toMatchObject([{ state: "stopped" }]);
		await expect(lease.tools()).rejects.toThrow("wants you to sign in");
	});

	it("with a token in a variable is not signed in to", async () => {
		const { url } = await aFaultHttpServer("locked");
		const { pool, use } = aPool({ environment: { TOKEN: "very-secret-token" }, browser: new TestBrowser() });
		const lease = await use(aServer({ url, bearerTokenEnvVar: "TOKEN" }));
		await expect(pool.signIn(lease.id)).rejects.toThrow("takes no sign-in");
	});
});

/** Calls the place where the answer is awaited, in the way of somebody else. */
async function knock(page: URL, query: string, init: RequestInit = {}): Promise<number> {
	const redirect = new URL(page.searchParams.get("redirect_uri") ?? "");
	return (await fetch(new URL(query, redirect), init)).status;
}

describe("an answer to a sign-in", () => {
	it("is taken once, with the state, from where it belongs; then nobody listens any more", async () => {
		const statuses: number[] = [];
		let address = "";
		const browser = new TestBrowser(async (page) => {
			address = page.searchParams.get("redirect_uri") ?? "";
			const state = page.searchParams.get("state") ?? "";
			statuses.push(
				await knock(page, "?code=stolen&state=wrong"),
				await knock(page, "?code=stolen"),
				await knock(page, `/other?code=x&state=${state}`),
				await knock(page, `?code=x&state=${state}`, { method: "POST" }),
				await knock(page, `?code=x&state=${state}`, { headers: { origin: "https://evil.example" } }),
			);
			return true;
		});
		const { pool, signIn } = await setUp({ browser });
		await signIn();
		expect(statuses).toEqual([400, 400, 404, 405, 403]);
		expect(pool.servers).toMatchObject([{ state: "ready" }]);
		await vi.waitFor(() => expect(browser.said).toEqual([expect.stringContaining("You can close this page")]));
		await expect(fetch(address)).rejects.toThrow("fetch failed");
	});

	it("that is a refusal ends it, and what was kept before stays", async () => {
		const { at, signIn, pool, secrets } = await setUp({ authorization: { denies: true } });
		await expect(signIn()).rejects.toThrow("The sign-in was refused (access_denied)");
		expect(at.count("POST /token")).toBe(0);
		expect(secrets.kept.size).toBe(0);
		expect(pool.servers).toMatchObject([{ state: "stopped" }]);
	});

	it("that does not come is waited for five minutes", async () => {
		const clock = new ManualClock();
		const opened = Promise.withResolvers<void>();
		const browser: SignInBrowser = {
			externalAddress: async (local) => local,
			open: async () => {
				opened.resolve();
				return true;
			},
		};
		const { signIn } = await setUp({ browser, clock });
		const refused = failureOf(signIn());
		await opened.promise;
		clock.advance(5 * 60_000);
		expect(await refused).toContain("within five minutes");
	});

	it("is not awaited when the person does not go there", async () => {
		const { signIn } = await setUp({ browser: new TestBrowser(async () => false) });
		await expect(signIn()).rejects.toThrow('You are not signed in to "srv"');
	});

	it("is not awaited any more once the person has had enough", async () => {
		const enough = new AbortController();
		const browser = new TestBrowser(async () => {
			enough.abort(new Error("enough"));
			return true;
		});
		const { pool, lease } = await setUp({ browser });
		await expect(pool.signIn(lease.id, enough.signal)).rejects.toThrow("enough");
	});
});

const elsewhere = "http://127.0.0.1:9";
const lies: readonly { readonly lie: string; readonly authorization: AuthorizationOptions; readonly says: RegExp }[] = [
	{
		lie: "a page to sign in on at another origin",
		authorization: { metadata: () => ({ authorization_endpoint: `${elsewhere}/authorize` }) },
		says: /sends to another origin, http:\/\/127\.0\.0\.1:9/u,
	},
	{
		lie: "another origin that gets the code",
		authorization: { metadata: () => ({ token_endpoint: `${elsewhere}/token` }) },
		says: /sends to another origin/u,
	},
	{
		lie: "another origin that registers programs",
		authorization: { metadata: () => ({ registration_endpoint: `${elsewhere}/register` }) },
		says: /sends to another origin/u,
	},
	{
		lie: "another issuer than itself",
		authorization: { metadata: () => ({ issuer: "https://accounts.example.com" }) },
		says: /describes itself as another issuer/u,
	},
	{
		lie: "a file as the page",
		authorization: { metadata: () => ({ authorization_endpoint: "file:///etc/passwd" }) },
		says: /leads to file:.*only https is safe/u,
	},
	{
		lie: "a command of the editor as the page",
		authorization: { metadata: () => ({ authorization_endpoint: "vscode://evil.extension/run" }) },
		says: /leads to vscode:.*only https is safe/u,
	},
	{
		lie: "a script as the page",
		authorization: { metadata: () => ({ authorization_endpoint: "javascript:alert(1)" }) },
		says: /can't be used/u,
	},
	{
		lie: "an open line",
		authorization: { metadata: () => ({ token_endpoint: "http://accounts.example.com/token" }) },
		says: /only https is safe/u,
	},
	{
		lie: "a file as the authorization server",
		authorization: { resource: () => ({ authorization_servers: ["file:///etc/passwd"] }) },
		says: /can't be used|only https is safe/u,
	},
	{
		lie: "another server's resource",
		authorization: { resource: () => ({ resource: "https://mail.example.com/" }) },
		says: /can't be used/u,
	},
	{
		lie: "a description at another origin",
		authorization: { describedAt: () => `${elsewhere}/resource` },
		says: /is described at another origin/u,
	},
];

describe("a sign-in that lies", () => {
	it.for(lies)("with $lie is refused: no browser opens and no token is asked for", async ({ authorization, says }) => {
		const browser = new TestBrowser();
		const { at, signIn, secrets } = await setUp({ authorization, browser });
		await expect(signIn()).rejects.toThrow(says);
		expect(browser.pages).toEqual([]);
		expect([at.count("POST /register"), at.count("POST /token"), secrets.kept.size]).toEqual([0, 0, 0]);
	});

	it("tells no secret, whatever is said back to us", async () => {
		const { signIn, at, pool } = await setUp({ authorization: { babbles: true } });
		const said = await failureOf(signIn());
		expect(said).toContain("the authorization server refused (server_error)");
		expect(at.given).not.toEqual([]);
		for (const secret of at.given) expect(said + JSON.stringify(pool.servers)).not.toContain(secret);
	});

	it("keeps nothing where the storage fails, and says so without the token", async () => {
		const at = await AuthorizationServer.start();
		const set = async (_: unknown, key: string) => Promise.reject(new Error(`no room for ${key}`));
		const { pool, use } = aPool({ secrets: { ...noSecrets, set }, browser: new TestBrowser() });
		const said = await failureOf(pool.signIn((await use(signedServer(at.url))).id));
		expect(said).toContain("Secret Storage");
		for (const secret of at.given) expect(said).not.toContain(secret);
	});
});
