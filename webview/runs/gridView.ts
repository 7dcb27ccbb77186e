import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";

/** Below this the page gives each run two lines. `panel.css` uses the same width. */
const narrowLayout = "(max-width: 699px)";
const rowHeights = { wide: 22, narrow: 44 } as const;

/** What of the list can be seen, in whole rows, so that scrolling within a row changes nothing. */
export interface GridView {
	readonly rowHeight: ReadonlySignal<number>;
	readonly topmost: ReadonlySignal<number>;
	readonly inView: ReadonlySignal<number>;
}

export function useGridView(element: RefObject<HTMLElement | null>): GridView {
	const narrow = useMemo(() => matchMedia(narrowLayout), []);
	const fittingHeight = () => (narrow.matches ? rowHeights.narrow : rowHeights.wide);
	const rowHeight = useSignal<number>(fittingHeight());
	const topmost = useSignal(0);
	const inView = useSignal(0);
	useLayoutEffect(() => {
		const grid = element.current;
		if (grid === null) return;
		const measure = () => {
			topmost.value = Math.floor(grid.scrollTop / rowHeight.peek());
			inView.value = Math.ceil(grid.clientHeight / rowHeight.peek()) + 1;
		};
		const changeLayout = () => (rowHeight.value = fittingHeight());
		const sizes = new ResizeObserver(measure);
		sizes.observe(grid);
		grid.addEventListener("scroll", measure, { passive: true });
		narrow.addEventListener("change", changeLayout);
		measure();
		return () => {
			sizes.disconnect();
			grid.removeEventListener("scroll", measure);
			narrow.removeEventListener("change", changeLayout);
		};
	}, []);
	return { rowHeight, topmost, inView };
}
