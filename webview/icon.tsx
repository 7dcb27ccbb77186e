import type { IconName } from "./iconNames.ts";

/** One drawing from the sprite in the page. Never carries meaning alone: a word or a label stands beside it. */
export function Icon({ name }: { readonly name: IconName }) {
	return (
		<svg class="icon" data-icon={name} aria-hidden="true" viewBox="0 0 16 16">
			<use href={`#icon-${name}`} />
		</svg>
	);
}
