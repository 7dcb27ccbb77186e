import { Worker } from "node:worker_threads";
import { BugError, ProblemError, type Problem } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import { createId } from "../base/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Spent } from "../runs/budget.ts";
import type { NewHost } from "./hosts.ts";
import type { OperationInput, OperationName, OperationOutput } from "./operations.ts";
import type { ReadOnlyReason } from "./readOnly.ts";
import type { UserCalls } from "./userDesk.ts";
import type { Answer, Dispossession, FromWorker, ToWorker, WorkerData } from "./workerProtocol.ts";

export interface DatabaseOptions extends WorkerData {
	/** The built `databaseWorker`. */
	readonly workerFile: URL;
	readonly logger: Logger;
}

/** The store as the rest of the core sees it: asynchronous, and durable when a call resolves. */
export class Database {
	readonly #worker: Worker;
	readonly #pending = new Map<number, (answer: Answer) => void>();
	readonly #changedElsewhere: Emitter<void>;
	readonly #dispossessed: Emitter<Dispossession>;
	readonly #exited: Promise<void>;
	#nextId = 1;
	/** Why no call can succeed any more. */
	#ended: Problem | undefined;

	/** Whether there is a `user.db` beside it. */
	readonly spansWorkspaces: boolean;
	/** Why this process only reads it; null when it may write. */
	readOnly: ReadOnlyReason | null = null;
	/** What a person should hear of how it was opened. It has been logged. */
	warning: string | null = null;
	readonly onDidChangeElsewhere: Event<void>;
	/** What this host executes is not its own any more: others have ended it, or will. */
	readonly onDidGetDispossessed: Event<Dispossession>;
	#host: NewHost | null;

	private constructor(options: DatabaseOptions) {
		const { folder, host, userFolder, killAt, workerFile, logger } = options;
		const onError = (error: unknown) => logger.error(`A store listener failed: ${String(error)}`);
		this.#host = host;
		this.spansWorkspaces = userFolder !== undefined;
		this.#changedElsewhere = new Emitter(onError);
		this.#dispossessed = new Emitter(onError);
		this.onDidChangeElsewhere = this.#changedElsewhere.event;
		this.onDidGetDispossessed = this.#dispossessed.event;
		this.#worker = new Worker(workerFile, {
			workerData: {
				folder,
				host,
				...(userFolder !== undefined && { userFolder }),
				...(killAt && { killAt }),
			} satisfies WorkerData,
			name: "muster-store",
		});
		this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
	}

	/** Rejects with a `ProblemError` when the database cannot be had; `store.noSqlite` where Node lacks SQLite. */
	static async open(options: DatabaseOptions): Promise<Database> {
		const database = new Database(options);
		await new Promise<void>((resolve, reject) => {
			database.#worker.on("message", (message: FromWorker) => {
				if (message.kind === "opened") {
					database.readOnly = message.readOnly;
					database.warning = message.warning;
					if (message.warning !== null) options.logger.warn(message.warning);
					resolve();
				} else if (message.kind === "failed") {
					database.#end(message.problem);
					reject(new ProblemError(message.problem));
				} else database.#receive(message);
			});
			const stopped = (error?: unknown) => {
				const problem = {
					code: "store.stopped",
					message: `Muster's store has stopped${error instanceof Error ? `: ${error.message}` : ""}. Reload the window to start it again.`,
				};
				database.#end(problem);
				reject(new ProblemError(problem, { cause: error }));
			};
			database.#worker.once("error", stopped);
			database.#worker.once("exit", () => stopped());
		});
		return database;
	}

	/** Who acts here; empty for a reader. Another one after it was fenced. */
	get hostId(): string {
		return this.#host?.hostId ?? "";
	}

	/** After others took this host for dead: it goes on as a new one, with nothing of what it had. */
	async registerAnew(at: number): Promise<void> {
		if (!this.#host) throw new BugError("A reader is no host");
		const host = { ...this.#host, hostId: createId("host"), at };
		await this.#ask((id) => ({ kind: "register", id, host }));
		this.#host = host;
	}

	/** Resolves when what was asked is committed. */
	call<Name extends OperationName>(
		name: Name,
		...input: OperationInput<Name> extends undefined ? [] : [OperationInput<Name>]
	): Promise<OperationOutput<Name>> {
		return this.#ask((id) => ({ kind: "call", id, name, input: input[0] }));
	}

	/** Whether the process of another host still lives. */
	isHostAlive(hostId: string): Promise<boolean> {
		return this.#ask((id) => ({ kind: "isHostAlive", id, hostId }));
	}

	/** Of what spans workspaces; only where there is such a thing. */
	user<Name extends keyof UserCalls>(name: Name, input: UserCalls[Name]["input"]): Promise<UserCalls[Name]["output"]> {
		if (!this.spansWorkspaces) throw new BugError("This store has no user.db");
		return this.#ask((id) => ({ kind: "user", id, name, input }));
	}

	/** Adds what this workspace has spent today to the user's day, and gives what all of their workspaces have. */
	async shareDay(at: number, spent: Spent): Promise<Spent> {
		return this.spansWorkspaces ? this.user("shareDay", { at, spent }) : spent;
	}

	/** Looks for other processes' commits more often while there is something to act on. */
	setPace(pace: "busy" | "idle"): void {
		if (!this.#ended) this.#worker.postMessage({ kind: "poll", pace } satisfies ToWorker);
	}

	/** Commits what is under way, frees the host's lock, and ends the worker. */
	async close(): Promise<void> {
		this.#worker.postMessage({ kind: "close" } satisfies ToWorker);
		await this.#exited;
		this.#changedElsewhere.dispose();
		this.#dispossessed.dispose();
	}

	#ask<Value>(request: (id: number) => ToWorker): Promise<Value> {
		if (this.#ended) return Promise.reject(new ProblemError(this.#ended));
		const id = this.#nextId++;
		return new Promise<Value>((resolve, reject) => {
			this.#pending.set(id, (answer) => {
				if (answer.ok) resolve(answer.value as Value);
				else reject(new ProblemError(answer.problem));
			});
			this.#worker.postMessage(request(id));
		});
	}

	#receive(message: FromWorker): void {
		if (message.kind === "changedElsewhere") return this.#changedElsewhere.fire();
		if (message.kind === "dispossessed") {
			if (message.why === "newer") this.readOnly = { kind: "newer" };
			return this.#dispossessed.fire(message.why);
		}
		if (message.kind !== "answers") return;
		for (const answer of message.answers) {
			this.#pending.get(answer.id)?.(answer);
			this.#pending.delete(answer.id);
		}
	}

	#end(problem: Problem): void {
		this.#ended ??= problem;
		for (const [id, settle] of this.#pending) settle({ id, ok: false, problem: this.#ended });
		this.#pending.clear();
	}
}
