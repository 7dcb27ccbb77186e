import type { RefObject } from "preact";
import { Icon } from "../icon.tsx";
import type { PanelModel } from "../panelModel.ts";
import { filterLimits, type RunFilter } from "./runFilter.ts";
import { totalText } from "./runText.ts";

const groupWords: Readonly<Record<RunFilter["group"], string>> = {
	all: "All",
	active: "Active",
	failed: "Failed",
	finished: "Finished",
};

interface FilterBarProps {
	readonly panel: PanelModel;
	readonly input: RefObject<HTMLInputElement | null>;
	/** Leaves the field for the list. */
	readonly onLeave: () => void;
}

/** Narrows the list by words and by how runs stand; says how many are left and what they cost. */
export function FilterBar({ panel, input, onLeave }: FilterBarProps) {
	const { store } = panel;
	const { text, group: chosen } = store.filter.value;
	const setText = (next: string) => {
		store.filter.value = { ...store.filter.peek(), text: next };
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const isEscape = event.key === "Escape";
		if (!isEscape && event.key !== "Enter" && event.key !== "ArrowDown") return;
		event.preventDefault();
		if (isEscape && text !== "") setText("");
		else onLeave();
	};
	return (
		<div class="filterBar">
			<div class="filterField">
				<Icon name="search" />
				<input
					ref={input}
					type="text"
					role="searchbox"
					aria-label="Filter runs"
					aria-describedby="total"
					placeholder="Filter by task, agent, state or result"
					spellcheck={false}
					autocomplete="off"
					maxLength={filterLimits.filterCharacters}
					value={text}
					onInput={(event) => setText(event.currentTarget.value)}
					onKeyDown={onKeyDown}
				/>
				{text !== "" && (
					<button type="button" class="iconButton" aria-label="Clear the filter" onClick={() => setText("")}>
						<Icon name="close" />
					</button>
				)}
			</div>
			<div class="chips" role="group" aria-label="Show">
				{store.counts.value.map(({ group, count }) => (
					<button
						key={group}
						type="button"
						class="chip"
						aria-pressed={group === chosen}
						onClick={() => {
							store.filter.value = { ...store.filter.peek(), group };
						}}
					>
						{groupWords[group]} <span class="count">{count.toLocaleString("en-US")}</span>
					</button>
				))}
			</div>
			<span class="total" id="total">
				{totalText(store.listed.value, store.total.value)}
			</span>
		</div>
	);
}
