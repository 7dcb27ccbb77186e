import * as z from "zod/mini";
import { unreachable } from "../../core/base/errors.ts";
import { PanelToHost, panelLimits } from "../../protocol/panel.ts";

export interface PanelActions {
	sendSnapshot(): void;
	stopRun(runId: string): void;
	openTranscript(runId: string): void;
	spawn(): void;
}

/** Turns raw messages of one panel into calls. What does not parse, is too large or comes too fast is dropped and said. */
export function createPanelReceiver(
	actions: PanelActions,
	now: () => number,
	warn: (text: string) => void,
): (raw: unknown) => void {
	let windowStartedAt = 0;
	let received = 0;
	const isTooFast = () => {
		if (now() - windowStartedAt >= 1_000) {
			windowStartedAt = now();
			received = 0;
		}
		received += 1;
		if (received === panelLimits.messagesPerSecond + 1)
			warn("The panel sends too many messages; the rest of this second is dropped.");
		return received > panelLimits.messagesPerSecond;
	};
	return (raw) => {
		if (isTooFast()) return;
		if (isTooLarge(raw)) return warn("Ignored a message from the panel: it is too large.");
		const parsed = PanelToHost.safeParse(raw);
		if (!parsed.success) return warn(`Ignored a message from the panel: ${z.prettifyError(parsed.error)}`);
		const message = parsed.data;
		switch (message.type) {
			case "ready":
				return actions.sendSnapshot();
			case "run.stop":
				return actions.stopRun(message.runId);
			case "run.openTranscript":
				return actions.openTranscript(message.runId);
			case "spawn":
				return actions.spawn();
			default:
				return unreachable(message);
		}
	};
}

/** Every valid message is a flat object of short strings, so its size is the sum of theirs. */
function isTooLarge(raw: unknown): boolean {
	if (typeof raw !== "object" || raw === null) return false;
	let characters = 0;
	for (const value of Object.values(raw)) characters += typeof value === "string" ? value.length : 0;
	return characters > panelLimits.messageCharacters;
}
