import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

const keys: readonly (readonly [readonly string[], string])[] = [
	[["↑", "↓"], "Move from run to run"],
	[["PgUp", "PgDn"], "Move by a page"],
	[["Home", "End"], "Go to the first or the last run"],
	[["Enter"], "Open the transcript"],
	[["s"], "Ask to stop the run; Enter then stops it"],
	[["/"], "Filter; Enter goes back to the list"],
	[["Esc"], "Clear the filter, keep the run, close this sheet"],
	[["?"], "Show this sheet"],
];

/** All keys of the list. The dialog element itself holds the focus, closes on Escape and gives the focus back. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useLayoutEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog ref={dialog} class="keySheet" aria-labelledby="keySheetTitle" onClose={onClose}>
			<header>
				<h2 id="keySheetTitle">Keys</h2>
				<button type="button" class="iconButton" aria-label="Close" onClick={() => dialog.current?.close()}>
					<Icon name="close" />
				</button>
			</header>
			<p>They work while the list of runs has the focus.</p>
			<dl>
				{keys.map(([names, effect]) => (
					<div key={effect}>
						<dt>
							{names.map((name) => (
								<kbd key={name}>{name}</kbd>
							))}
						</dt>
						<dd>{effect}</dd>
					</div>
				))}
			</dl>
		</dialog>
	);
}
