import { Icon } from "../icon.tsx";
import type { PanelModel } from "../panelModel.ts";
import { plainText } from "../plainText.ts";
import { everyRun } from "./runFilter.ts";

/** Says why there are no rows, and offers the one thing that would change it. */
export function EmptyRuns({ panel }: { readonly panel: PanelModel }) {
	const { store } = panel;
	if (store.total.value > 0) {
		return (
			<div class="empty">
				<p>0 of {store.total.value.toLocaleString("en-US")}.</p>
				<button type="button" class="button secondary" onClick={() => (store.filter.value = everyRun)}>
					Clear filters
				</button>
			</div>
		);
	}
	if (store.notice.value !== null) {
		return (
			<div class="empty">
				<Icon name="info" />
				<p>{plainText(store.notice.value, 1000)}</p>
			</div>
		);
	}
	return (
		<div class="empty">
			<Icon name="history" />
			<p>Nothing has run here yet</p>
			<button type="button" class="button" onClick={() => panel.actions.spawn()}>
				Spawn Subagent…
			</button>
		</div>
	);
}
