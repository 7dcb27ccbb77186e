import { composeAnnouncement, type PlanApprover } from "../announce/announcement.ts";
import type { Disposable } from "../base/disposable.ts";
import type { ModelMessage } from "../models/modelPort.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import { quoteAnnouncement } from "../sessions/history.ts";
import type { AcceptRun } from "../store/acceptRun.ts";
import type { Deliveries, Receiver } from "../store/announcements.ts";
import type { Database } from "../store/database.ts";

/** Results that come this close together wake their parent once. */
const coalesceMs = 1_000;

/** A run's result that has just reached the session that asked for it. */
export interface Announced {
	readonly run: Run;
	readonly text: string;
}

export interface AnnouncerOptions {
	readonly database: Database;
	readonly clock: Clock;
	/** The run that wakes an idle main session, or null when it can't be woken here. */
	wakeRun(receiver: Receiver): Promise<AcceptRun | null>;
	/** The whole last answer of a run, for agents that announce in full. */
	lastAnswer(run: Run): Promise<string | null>;
	/** Who may approve plans besides the user. */
	planApprover(): PlanApprover;
	/** Hears of everything that was delivered, after the commit. */
	onDelivered(deliveries: Deliveries): void;
	onError(error: unknown): void;
}

/** Brings each run's end to exactly the session that asked for it: at once, at its next boundary, or by waking it. */
export class Announcer implements Disposable {
	readonly #options: AnnouncerOptions;
	readonly #timers = new Map<string, Disposable>();
	#isDisposed = false;

	constructor(options: AnnouncerOptions) {
		this.#options = options;
	}

	/** To be called when a run has ended, and when its requester may have become idle. */
	async announceTo(sessionId: string | null): Promise<void> {
		if (sessionId === null || this.#isDisposed) return;
		const receiver = await this.#options.database.call("getReceiver", { sessionId });
		if (!receiver) return;
		if (receiver.kind !== "main" || receiver.isDeleted) return this.#deliver(receiver, null);
		// Busy: its own run takes them at its next boundary, and asks again when it has ended.
		if (receiver.isBusy || this.#timers.has(sessionId)) return;
		const timer = this.#options.clock.after(coalesceMs, () => {
			this.#timers.delete(sessionId);
			this.#wake(sessionId).catch((error: unknown) => !this.#isDisposed && this.#options.onError(error));
		});
		this.#timers.set(sessionId, timer);
	}

	/** After a start: everything that waits is delivered, and nobody is woken, because waking costs money. */
	async deliverAll(): Promise<void> {
		for (const receiver of await this.#options.database.call("listReceivers")) await this.#deliver(receiver, null);
	}

	/** What a run of this session may read at its boundary, as data. Delivered with this answer. */
	async takeAtBoundary(run: Run): Promise<readonly ModelMessage[]> {
		const deliveries = await this.#deliverPending(run.sessionId, run.id, null);
		return deliveries.delivered.map(({ text }) => ({ role: "user", text: quoteAnnouncement(text) }));
	}

	dispose(): void {
		this.#isDisposed = true;
		for (const timer of this.#timers.values()) timer.dispose();
	}

	async #wake(sessionId: string): Promise<void> {
		const receiver = await this.#options.database.call("getReceiver", { sessionId });
		if (!receiver || receiver.isBusy) return;
		await this.#deliver(receiver, await this.#options.wakeRun(receiver));
	}

	async #deliver(receiver: Receiver, wake: AcceptRun | null): Promise<void> {
		await this.#deliverPending(receiver.sessionId, null, wake);
	}

	async #deliverPending(sessionId: string, boundaryOf: string | null, wake: AcceptRun | null): Promise<Deliveries> {
		const { database, clock } = this.#options;
		const pending = await database.call("listPending", { sessionId });
		if (pending.length === 0) return { delivered: [], deadLetters: [], woken: null, events: [] };
		const announcements = await Promise.all(
			pending.map(async (run) => ({ runId: run.id, text: await this.#compose(run) })),
		);
		// A silent announcement is persisted like any other and wakes nobody.
		const mayWake = pending.some(({ announceForm }) => announceForm !== "silent");
		const deliveries = await database.call("deliverAnnouncements", {
			sessionId,
			announcements,
			boundaryOf,
			wake: mayWake ? wake : null,
			at: clock.now(),
		});
		this.#options.onDelivered(deliveries);
		return deliveries;
	}

	async #compose(run: Run): Promise<string> {
		const answer = run.announceForm === "full" ? await this.#options.lastAnswer(run) : null;
		return composeAnnouncement(run, answer, this.#options.planApprover());
	}
}
