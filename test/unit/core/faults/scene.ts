/** One store on disk, the host processes that tests start on it, and everything that any of them has said. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { anAgentFile } from "../../../fakes/aRuntime.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import type { Command, Fact, HostOptions } from "./faultFacts.ts";

const program = new URL("faultHost.ts", import.meta.url);
/** Many processes of the same program: without it, most of their time goes into its types. */
const env = { ...process.env, NODE_COMPILE_CACHE: path.join(os.tmpdir(), "muster-test-compiled") };

export class Scene {
	readonly repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" });
	readonly storeFolder = path.join(temporaryFolder(), "store");
	readonly hosts: FaultHost[] = [];

	start(options: Partial<HostOptions>): FaultHost {
		const { storeFolder, repoFolder } = this;
		const host = new FaultHost({ storeFolder, repoFolder, laneLimit: 2, spawns: 0, ...options });
		this.hosts.push(host);
		return host;
	}

	/** All that was ever acknowledged, of all hosts. */
	get facts(): Fact[] {
		return this.hosts.flatMap(({ facts }) => facts);
	}

	/** The store itself, beside whoever uses it. */
	open(): Sql {
		const { sql } = openDatabase(this.storeFolder);
		sql.exec("PRAGMA busy_timeout = 5000");
		onTestFinished(() => sql.close());
		return sql;
	}
}

export class FaultHost {
	readonly facts: Fact[] = [];
	/** Resolves with the signal that ended it, or with its exit code, when everything that it said has been read. */
	readonly ended: Promise<NodeJS.Signals | number>;
	readonly #child: ChildProcess;
	readonly #waiting = new Set<() => void>();

	constructor(options: HostOptions) {
		this.#child = fork(program, [JSON.stringify(options)], { env, stdio: ["ignore", "pipe", "inherit", "ipc"] });
		onTestFinished(() => void this.#child.kill("SIGKILL"));
		const { stdout } = this.#child;
		if (!stdout) throw new Error("A host without an output");
		const lines = createInterface({ input: stdout });
		lines.on("line", (line) => {
			this.facts.push(JSON.parse(line) as Fact);
			for (const check of this.#waiting) check();
		});
		this.ended = Promise.all([once(this.#child, "exit"), once(lines, "close")]).then(([[code, signal]]) => {
			for (const check of this.#waiting) check();
			return (signal ?? code) as NodeJS.Signals | number;
		});
	}

	tell(command: Command): void {
		this.#child.send(command);
	}

	signal(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	/** Resolves when what it has said satisfies the condition. */
	until(condition: (facts: readonly Fact[]) => boolean): Promise<void> {
		return new Promise((resolve, reject) => {
			const how = () => this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
			const check = () => {
				const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
				if (!condition(this.facts) && !hasEnded) return;
				this.#waiting.delete(check);
				if (condition(this.facts)) resolve();
				else reject(new Error(`The host ended before that, by ${how()}; it said ${JSON.stringify(this.facts)}`));
			};
			this.#waiting.add(check);
			check();
		});
	}

	/** Spawns one run and gives its id, or why it was refused. */
	async spawn(task: string): Promise<string> {
		const isAnswer = (fact: Fact) => fact.kind === "accepted" || fact.kind === "refused";
		const before = this.facts.filter(isAnswer).length;
		this.tell({ kind: "spawn", task });
		await this.until((facts) => facts.filter(isAnswer).length > before);
		const answer = this.facts.filter(isAnswer)[before];
		return answer?.kind === "accepted" ? answer.runId : answer?.kind === "refused" ? answer.error : "";
	}

	async close(): Promise<void> {
		this.tell({ kind: "close" });
		await this.ended;
	}
}

export const says =
	(kind: Fact["kind"], runId?: string) =>
	(facts: readonly Fact[]): boolean =>
		facts.some((fact) => fact.kind === kind && (runId === undefined || ("runId" in fact && fact.runId === runId)));

/** Gives the id of a run that it has brought to its end, as soon as it takes one. */
export async function goesOn(host: FaultHost): Promise<string> {
	let runId = "";
	await expect.poll(async () => (runId = await host.spawn("Answer")), { timeout: 10_000 }).toMatch(/^run_/u);
	await host.until(says("announced", runId));
	return runId;
}
