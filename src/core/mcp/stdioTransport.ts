import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProcessExit, ProcessGroups, ProcessHandle } from "../processes/processGroup.ts";
import { readPaced } from "../tools/builtin/readPaced.ts";
import { MessageLines } from "./messageLines.ts";
import { OutputTail } from "./outputTail.ts";
import { ServerRequestLimit } from "./serverRequestLimit.ts";

/** After this many lines in a row that are no messages, it is no server. */
const maxBadLines = 50;
/** A server that does not read for so long does not work. */
const writeDeadlineMs = 10_000;
/** What a process wrote just before its end is still in the pipe. */
const lastWordsMs = 200;

export interface Program {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

export interface StdioTransportOptions {
	readonly program: Program;
	readonly processes: ProcessGroups;
	readonly clock: Clock;
	/** Of the process, for whoever looks at all of them. */
	readonly owner: string;
	/** The server said more than we listen to. */
	readonly onDropped?: () => void;
}

/**
 * A server as a process that we start. Ends with the process, not with its pipes, which a grandchild may hold for ever; and
 * takes everything along that the process has started.
 */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	readonly #options: StdioTransportOptions;
	readonly #lines = new MessageLines();
	readonly #stderr = new OutputTail();
	readonly #limit: ServerRequestLimit;
	#starting: Promise<ProcessHandle> | undefined;
	#handle: ProcessHandle | undefined;
	#badLines = 0;
	#endReason: string | undefined;
	#killed: Promise<unknown> | undefined;

	constructor(options: StdioTransportOptions) {
		this.#options = options;
		this.#limit = new ServerRequestLimit(options.clock);
	}

	/** Why it has ended, once it has. */
	get endReason(): string | undefined {
		return this.#endReason;
	}

	get stderrTail(): string {
		return this.#stderr.text;
	}

	async start(): Promise<void> {
		const { program, processes, owner, clock } = this.#options;
		const { command, args, cwd, env } = program;
		this.#starting = processes.start(command, args, { cwd, env, stdin: "pipe", owner });
		const handle = await this.#starting;
		this.#handle = handle;
		const said = readPaced([handle.stderr], clock, (bytes) => this.#stderr.push(bytes));
		const sent = readPaced([handle.stdout], clock, (bytes) => this.#read(bytes));
		void this.#awaitExit(handle, Promise.all([said, sent]));
	}

	async send(message: JSONRPCMessage): Promise<void> {
		const stdin = this.#handle?.stdin;
		if (!stdin || this.#endReason !== undefined) throw new Error("The server is not running");
		await new Promise<void>((resolve, reject) => {
			const deadline = this.#options.clock.after(writeDeadlineMs, () => {
				const reason = "It does not read what it is sent";
				reject(new Error(reason));
				this.#end(reason);
			});
			stdin.write(serializeMessage(message), (error) => {
				deadline.dispose();
				if (error) reject(error);
				else resolve();
			});
		});
	}

	/** Resolves when nothing of it is left. */
	async close(): Promise<void> {
		// The process may come to be while we close; one that could not be started needs no end.
		this.#handle ??= await this.#starting?.catch(() => undefined);
		this.#end("It was stopped");
		await this.#killed;
	}

	#read(bytes: Uint8Array): void {
		if (this.#endReason !== undefined) return;
		try {
			for (const line of this.#lines.push(bytes)) {
				this.#take(line);
				if (this.#endReason !== undefined) return;
			}
		} catch (error) {
			this.#end(messageOf(error));
		}
	}

	#take(line: Buffer): void {
		if (this.#limit.refuses(line)) {
			this.#options.onDropped?.();
			return;
		}
		const message = this.#parse(line.toString("utf8"));
		if (message === undefined) return;
		if ("method" in message) this.#limit.count();
		this.onmessage?.(message);
	}

	/** Servers print their log among the messages, which is wrong and common. */
	#parse(line: string): JSONRPCMessage | undefined {
		if (line.trim() === "") return undefined;
		try {
			const message = deserializeMessage(line);
			this.#badLines = 0;
			return message;
		} catch (error) {
			this.onerror?.(new Error(`A line that is no message: ${messageOf(error)}`));
			if (++this.#badLines > maxBadLines) this.#end(`It wrote ${this.#badLines} lines that are no messages`);
			return undefined;
		}
	}

	async #awaitExit({ exited }: ProcessHandle, closed: Promise<unknown>): Promise<void> {
		const exit = await exited;
		await new Promise<void>((resolve) => {
			const timer = this.#options.clock.after(lastWordsMs, resolve);
			const onClosed = () => {
				timer.dispose();
				resolve();
			};
			void closed.then(onClosed);
		});
		this.#end(describeExit(exit));
	}

	#end(reason: string): void {
		if (this.#endReason !== undefined) return;
		this.#endReason = reason;
		this.#handle?.stdin?.end();
		this.#killed = this.#handle?.kill();
		this.onclose?.();
	}
}

function describeExit({ code, signal }: ProcessExit): string {
	return signal === null ? `It ended with exit code ${code}` : `It was ended by ${signal}`;
}
