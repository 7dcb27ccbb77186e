import { Worker } from "node:worker_threads";
import { ProblemError, type Problem } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import type { Logger } from "../ports/logger.ts";
import type { OperationInput, OperationName, OperationOutput } from "./operations.ts";
import type { ReadOnlyReason } from "./readOnly.ts";
import type { Answer, FromWorker, ToWorker, WorkerData } from "./workerProtocol.ts";

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
	readonly #exited: Promise<void>;
	#nextId = 1;
	/** Why no call can succeed any more. */
	#ended: Problem | undefined;

	/** Why this process only reads it; null when it may write. */
	readOnly: ReadOnlyReason | null = null;
	/** What a person should hear of how it was opened. It has been logged. */
	warning: string | null = null;
	readonly onDidChangeElsewhere: Event<void>;

	private constructor(options: DatabaseOptions) {
		const { folder, host, killAt, workerFile, logger } = options;
		this.#changedElsewhere = new Emitter((error) => logger.error(`A store listener failed: ${String(error)}`));
		this.onDidChangeElsewhere = this.#changedElsewhere.event;
		this.#worker = new Worker(workerFile, {
			workerData: { folder, host, ...(killAt && { killAt }) } satisfies WorkerData,
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

	/** Looks for other processes' commits more often while there is something to act on. */
	setPace(pace: "busy" | "idle"): void {
		if (!this.#ended) this.#worker.postMessage({ kind: "poll", pace } satisfies ToWorker);
	}

	/** Commits what is under way, frees the host's lock, and ends the worker. */
	async close(): Promise<void> {
		this.#worker.postMessage({ kind: "close" } satisfies ToWorker);
		await this.#exited;
		this.#changedElsewhere.dispose();
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
