import { useLayoutEffect, useRef } from "preact/hooks";
import type { PanelModel } from "../panelModel.ts";

/** Asks on the row itself, with the focus on "Stop", so that `s` then Enter stops and any other way out keeps. */
export function StopQuestion({ panel, runId }: { readonly panel: PanelModel; readonly runId: string }) {
	const stopButton = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => stopButton.current?.focus({ preventScroll: true }), []);
	return (
		<span role="group" class="question" aria-label="Stop this run?">
			<span aria-hidden="true">Stop this run?</span>
			<button type="button" class="button" ref={stopButton} onClick={() => panel.actions.stop(runId)}>
				Stop
			</button>
			<button type="button" class="button secondary" onClick={() => panel.store.keepAnswered()}>
				Keep
			</button>
		</span>
	);
}
