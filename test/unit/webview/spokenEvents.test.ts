import { describe, expect, it } from "vitest";
import { speechPauseMs, SpokenEvents } from "../../../webview/spokenEvents.ts";
import { anEndedRun, aRun, runId } from "./aRun.ts";

/** A clock that moves only when told to, and runs what is due then. */
class ManualTimer {
	#now = 0;
	#waiting: { at: number; run: () => void }[] = [];

	now = () => this.#now;

	after = (delayMs: number, run: () => void) => {
		this.#waiting.push({ at: this.#now + delayMs, run });
	};

	advance(milliseconds: number): void {
		this.#now += milliseconds;
		const due = this.#waiting.filter(({ at }) => at <= this.#now);
		this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
		for (const { run } of due) run();
	}
}

const aSpeaker = () => {
	const timer = new ManualTimer();
	const events = new SpokenEvents(timer);
	return { timer, events, said: () => events.sentence.value };
};

describe("SpokenEvents", () => {
	it("says one event at once, by its title and its state in words", () => {
		const { timer, events, said } = aSpeaker();
		events.add([anEndedRun({ title: "Fix the parser", state: "timeout" })]);
		timer.advance(0);
		expect(said().text).toBe("Fix the parser: timed out");
	});

	it("merges what comes within the pause into one sentence after it", () => {
		const { timer, events, said } = aSpeaker();
		events.add([anEndedRun({ runId: runId(1), title: "First" })]);
		timer.advance(0);
		events.add([anEndedRun({ runId: runId(2) }), anEndedRun({ runId: runId(3), state: "error" })]);
		timer.advance(speechPauseMs - 1);
		expect(said().text).toBe("First: ok");
		events.add([
			aRun({ runId: runId(4), state: "waiting_approval" }),
			anEndedRun({ runId: runId(5), state: "canceled" }),
		]);
		timer.advance(1);
		expect(said()).toEqual({ text: "Runs: 1 waiting for you, 1 failed, 2 finished", turn: 2 });
	});

	it("says only the latest about a run", () => {
		const { timer, events, said } = aSpeaker();
		events.add([aRun({ title: "Publish", state: "waiting_approval" })]);
		events.add([anEndedRun({ title: "Publish", state: "canceled" })]);
		timer.advance(0);
		expect(said().text).toBe("Publish: stopped");
	});

	it("counts the same words twice as two sentences", () => {
		const { timer, events, said } = aSpeaker();
		for (const number of [1, 2]) {
			events.add([anEndedRun({ runId: runId(number), title: "Lint" })]);
			timer.advance(speechPauseMs);
		}
		expect(said()).toEqual({ text: "Lint: ok", turn: 2 });
	});

	it("says nothing about nothing", () => {
		const { timer, events, said } = aSpeaker();
		events.add([]);
		timer.advance(speechPauseMs);
		expect(said()).toEqual({ text: "", turn: 0 });
	});
});
