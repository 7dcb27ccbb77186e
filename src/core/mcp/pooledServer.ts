import type { Disposable } from "../base/disposable.ts";
import { BugError, messageOf, ProblemError } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import type { ToolResult } from "../tools/tool.ts";
import type { LaunchPlan } from "./launchPlan.ts";
import { type CallOptions, McpConnection } from "./mcpConnection.ts";
import { type ServerSignIn, SignInNeeded } from "./serverSignIn.ts";
import type { ToolListing, ToolProblem } from "./serverTool.ts";

export type McpServerState = "stopped" | "starting" | "ready" | "failed" | "signInNeeded";

/** How a server is, for people. */
export interface McpHealth {
	/** Names it in the pool. */
	readonly id: string;
	readonly name: string;
	readonly state: McpServerState;
	/** What went wrong last; it may work again. */
	readonly lastError: string | undefined;
	readonly toolCount: number;
	/** Tools that it has and that can't be offered. */
	readonly toolProblems: readonly ToolProblem[];
	/** The last that it said for people. */
	readonly stderrTail: string;
	readonly startedAt: number | undefined;
	/** How many runs hold it. */
	readonly holders: number;
}

export interface PooledServerOptions {
	readonly name: string;
	readonly plan: LaunchPlan;
	readonly startupTimeoutMs: number;
	/** Of a server that a person can sign in to. */
	readonly signIn?: ServerSignIn;
	readonly clock: Clock;
	readonly processes: ProcessGroups;
	readonly version: string;
	readonly idleMs: number;
	readonly onChanged: () => void;
}

export interface ToolCallOptions extends CallOptions {
	/** Of the tool as it was offered: another one is not called in its place. */
	readonly hash?: string | undefined;
}

interface Live {
	readonly connection: McpConnection;
	listing: ToolListing;
	listedAt: number;
}

/** After a failure, and after each further one in a row. Then a person has to start it. */
const backOffMs = [1_000, 5_000, 25_000] as const;
/** A server may change its tools as often as it likes; it is asked for them so often. */
const listAgainMs = 10_000;

/** One server that several runs share. Started when it is first needed, stopped when nobody has held it for a while. */
export class PooledServer {
	readonly #options: PooledServerOptions;
	#state: McpServerState = "stopped";
	#lastError: string | undefined;
	#stderrTail = "";
	#startedAt: number | undefined;
	#live: Live | undefined;
	#starting: Promise<Live> | undefined;
	#signingIn: Promise<void> | undefined;
	#startAbort = new AbortController();
	/** Everything that is being taken down. */
	readonly #ending = new Set<Promise<void>>();
	#holders = 0;
	#isClosed = false;
	#idleTimer: Disposable | undefined;
	#listTimer: Disposable | undefined;
	#failures = 0;
	#failedAt = 0;

	constructor(options: PooledServerOptions) {
		this.#options = options;
	}

	get health(): McpHealth {
		const { name, plan } = this.#options;
		const { tools = [], problems = [] } = this.#live?.listing ?? {};
		return {
			id: plan.key,
			name,
			state: this.#state,
			lastError: this.#lastError,
			toolCount: tools.length,
			toolProblems: problems,
			stderrTail: this.#live?.connection.stderrTail ?? this.#stderrTail,
			startedAt: this.#startedAt,
			holders: this.#holders,
		};
	}

	/** Whether it may be forgotten. */
	get isUnused(): boolean {
		return this.#holders === 0 && this.#live === undefined && this.#starting === undefined;
	}

	hold(): void {
		this.#idleTimer?.dispose();
		this.#holders++;
	}

	letGo(): void {
		if (--this.#holders > 0) return;
		this.#idleTimer = this.#options.clock.after(this.#options.idleMs, () => void this.stop());
	}

	/** Its tools as of now. One that has just failed is not waited for: a run goes on without it. */
	async listing(signal?: AbortSignal): Promise<ToolListing> {
		return (await this.#need(false, signal)).listing;
	}

	async call(tool: string, input: Readonly<Record<string, unknown>>, options: ToolCallOptions): Promise<ToolResult> {
		const live = await this.#need(true, options.signal);
		this.#refuseChanged(live, tool, options.hash);
		try {
			const result = await live.connection.call(tool, input, options);
			this.#failures = 0;
			return result;
		} catch (error) {
			if (options.signal?.aborted) throw error;
			if (error instanceof SignInNeeded && this.#live === live) {
				this.#takeDown();
				this.#awaitSignIn(error);
				throw error;
			}
			const isUnreachable = error instanceof ProblemError && error.problem.code === "mcp.unreachable";
			if (isUnreachable && this.#live === live) this.#fail(messageOf(error));
			else if (this.#live === live) this.#note(messageOf(error));
			throw error;
		}
	}

	/** A person wants it: earlier failures do not count. */
	async restart(): Promise<void> {
		await this.stop();
		this.#failures = 0;
		this.#state = "stopped";
		await this.#need(false);
	}

	/** One sign-in, however many ask for it. It starts with what came of it. */
	signIn(signal?: AbortSignal): Promise<void> {
		this.#signingIn ??= this.#signIn(signal).finally(() => (this.#signingIn = undefined));
		return untilAborted(this.#signingIn, signal);
	}

	async signOut(): Promise<void> {
		await this.#options.signIn?.signOut();
		await this.stop();
		this.#lastError = undefined;
		this.#become("stopped");
	}

	/** Resolves when nothing of it is left. It starts again when it is needed. */
	async stop(): Promise<void> {
		this.#idleTimer?.dispose();
		this.#startAbort.abort(new Error("It was stopped"));
		if (this.#starting) await this.#starting.catch(() => undefined);
		this.#takeDown();
		if (this.#state !== "failed" && this.#state !== "signInNeeded") this.#become("stopped");
		await Promise.all(this.#ending);
	}

	/** Stops it, and starts it no more, whoever still holds it. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.stop();
	}

	async #need(waits: boolean, signal?: AbortSignal): Promise<Live> {
		signal?.throwIfAborted();
		this.#refuseClosed();
		if (this.#live) return this.#live;
		if (!this.#starting) await this.#backOff(waits, signal);
		if (this.#live) return this.#live;
		this.#refuseClosed();
		this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
		return untilAborted(this.#starting, signal);
	}

	#refuseClosed(): void {
		if (this.#isClosed) throw new BugError("No server can be used any more: Muster is closing");
	}

	async #signIn(signal: AbortSignal | undefined): Promise<void> {
		const { signIn, name } = this.#options;
		if (!signIn) {
			const message = `The MCP server "${name}" takes no sign-in: its configuration says who asks, or it is no address that is safe`;
			throw new ProblemError({ code: "mcp.noSignIn", message });
		}
		await signIn.signIn(signal);
		await this.restart();
	}

	async #backOff(waits: boolean, signal: AbortSignal | undefined): Promise<void> {
		const { name, clock, signIn } = this.#options;
		// Until a person has signed in, here or in another window.
		if (this.#state === "signInNeeded" && signIn && (await signIn.isRefused())) throw new SignInNeeded(signIn.problem);
		if (this.#failures === 0) return;
		const pause = backOffMs[this.#failures - 1];
		const left = this.#failedAt + (pause ?? 0) - clock.now();
		const advice = pause === undefined ? "Restart it when it is repaired." : "It is tried again later.";
		const refused = new ProblemError({
			code: "mcp.failed",
			message: `The MCP server "${name}" has failed ${this.#failures} times. ${this.#lastError ?? ""}. ${advice}`,
		});
		if (pause === undefined || (left > 0 && !waits)) throw refused;
		if (left <= 0) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = clock.after(left, resolve);
		await untilAborted(promise, signal).finally(() => timer.dispose());
	}

	async #start(): Promise<Live> {
		const { clock, plan, name } = this.#options;
		const abort = (this.#startAbort = new AbortController());
		this.#stderrTail = "";
		this.#become("starting");
		let opened: McpConnection | undefined;
		let hasEnded: string | undefined;
		try {
			const onEnd = (reason: string) => {
				hasEnded = reason;
				if (opened !== undefined && this.#live?.connection === opened)
					this.#fail(`The MCP server "${name}" ended: ${reason}`);
			};
			const options = { ...this.#options, owner: `mcp:${name}:${plan.key.slice(0, 8)}` };
			const onToolsChanged = () => this.#listLater();
			const onStderr = (tail: string) => (this.#stderrTail = tail);
			opened = await McpConnection.open({ ...options, onEnd, onToolsChanged, signal: abort.signal }, onStderr);
			const listing = await opened.listTools(abort.signal);
			abort.signal.throwIfAborted();
			if (hasEnded !== undefined) throw new Error(`The MCP server "${name}" ended: ${hasEnded}`);
			const live = (this.#live = { connection: opened, listing, listedAt: Number.NEGATIVE_INFINITY });
			this.#startedAt = clock.now();
			this.#lastError = undefined;
			this.#become("ready");
			return live;
		} catch (error) {
			if (opened) this.#end(opened);
			if (error instanceof SignInNeeded) this.#awaitSignIn(error);
			else if (!abort.signal.aborted) this.#countFailure(messageOf(error));
			throw error;
		}
	}

	#fail(reason: string): void {
		this.#takeDown();
		this.#countFailure(reason);
	}

	#countFailure(reason: string): void {
		this.#failures++;
		this.#failedAt = this.#options.clock.now();
		this.#lastError = reason;
		this.#become("failed");
	}

	/** No failure: it works, for somebody else. */
	#awaitSignIn({ message }: SignInNeeded): void {
		this.#failures = 0;
		this.#lastError = message;
		this.#become("signInNeeded");
	}

	/** Its last call went wrong, and the next may not. */
	#note(reason: string): void {
		this.#lastError = reason;
		this.#options.onChanged();
	}

	#takeDown(): void {
		this.#listTimer?.dispose();
		this.#listTimer = undefined;
		const live = this.#live;
		this.#live = undefined;
		if (live) this.#end(live.connection);
	}

	#end(connection: McpConnection): void {
		this.#stderrTail = connection.stderrTail;
		const ending = connection
			.close()
			.catch((error: unknown) => this.#note(messageOf(error)))
			.finally(() => this.#ending.delete(ending));
		this.#ending.add(ending);
	}

	#become(state: McpServerState): void {
		this.#state = state;
		this.#options.onChanged();
	}

	/** Asks for the tools again: at once, and then not too often. */
	#listLater(): void {
		const live = this.#live;
		if (!live || this.#listTimer) return;
		const { clock } = this.#options;
		const wait = Math.max(0, live.listedAt + listAgainMs - clock.now());
		if (wait === 0) void this.#listAgain(live);
		else {
			this.#listTimer = clock.after(wait, () => {
				this.#listTimer = undefined;
				void this.#listAgain(live);
			});
		}
	}

	async #listAgain(live: Live): Promise<void> {
		live.listedAt = this.#options.clock.now();
		try {
			live.listing = await live.connection.listTools();
			if (this.#live === live) this.#options.onChanged();
		} catch (error) {
			if (this.#live === live) this.#note(messageOf(error));
		}
	}

	#refuseChanged({ listing }: Live, tool: string, hash: string | undefined): void {
		if (hash === undefined) return;
		const current = listing.tools.find(({ name }) => name === tool);
		if (current?.hash === hash) return;
		const what = current ? "has changed" : "is gone";
		const message = `The tool "${tool}" of the MCP server "${this.#options.name}" ${what} since this run began, so it is not called`;
		throw new ProblemError({ code: "mcp.toolChanged", message });
	}
}

/** Leaves shared work alone when one of those who wait for it has had enough. */
function untilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return shared;
	return new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		if (signal.aborted) onAbort();
		signal.addEventListener("abort", onAbort, { once: true });
		shared
			.then(resolve, reject)
			.finally(() => signal.removeEventListener("abort", onAbort))
			.catch(reject);
	});
}
