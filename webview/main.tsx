import { effect } from "@preact/signals";
import { render } from "preact";
import type { HostToPanel } from "../src/protocol/panel.ts";
import { connectHost } from "./host.ts";
import { HostClock } from "./hostClock.ts";
import { Panel } from "./panel.tsx";
import type { PanelModel } from "./panelModel.ts";
import { RunsStore } from "./runsStore.ts";
import { SpokenEvents } from "./spokenEvents.ts";

/** Connects the page to the host. The static shell stays until the first snapshot, so nothing flickers in between. */
function start(root: HTMLElement): void {
	const host = connectHost();
	const store = new RunsStore(host.restore());
	const clock = new HostClock();
	const events = new SpokenEvents({
		now: () => performance.now(),
		after: (delayMs, run) => void setTimeout(run, delayMs),
	});
	const panel: PanelModel = {
		store,
		clock,
		events,
		actions: {
			spawn: () => host.send({ v: 1, type: "spawn" }),
			openTranscript: (runId) => host.send({ v: 1, type: "run.openTranscript", runId }),
			stop: (runId) => {
				store.stopAnswered(runId);
				host.send({ v: 1, type: "run.stop", runId });
			},
		},
	};
	let isShown = false;
	const receive = (message: HostToPanel) => {
		const applied = store.apply(message);
		if (applied.kind === "gap") host.send({ v: 1, type: "ready" });
		if (applied.kind !== "applied") return;
		if (message.type === "snapshot") clock.set(message.now);
		events.add(applied.news);
		if (isShown) return;
		isShown = true;
		root.replaceChildren();
		root.ariaBusy = null;
		render(<Panel panel={panel} />, root);
	};
	host.listen(receive);
	clock.tickWhile(store.hasLive);
	effect(() => host.save({ tab: "runs", filter: store.filter.value, selectedRunId: store.selectedId.value }));
	host.send({ v: 1, type: "ready" });
}

const root = document.getElementById("root");
if (root !== null) start(root);
