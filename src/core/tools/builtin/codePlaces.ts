import { isInside } from "../../base/isInside.ts";
import type { CodePlace } from "../../ports/languages.ts";
import type { ToolContext } from "../tool.ts";
import { displayPath } from "./displayPath.ts";
import { takeFitting } from "./findSearchPathProblem.ts";

const maxPlaces = 500;
/** Leaves room for the line that says what is missing. */
const maxBytes = 30 * 1024 - 200;

/** Those below the path that the gate allowed, without the files that it leaves out. */
export function visiblePlaces<Place extends CodePlace>(
	places: readonly Place[],
	tool: string,
	{ path, leavesOut }: ToolContext,
): readonly Place[] {
	// The gate itself has judged the path, and perhaps a person: only what lies below is left out.
	return places.filter((place) => place.path === path || (isInside(path, place.path) && !leavesOut(place.path, tool)));
}

/** One line each, `file:line:column: …`, sorted; what is too much is counted. */
export function describePlaces<Place extends CodePlace>(
	places: readonly Place[],
	root: string,
	{ describe, advice }: { readonly describe: (place: Place) => string; readonly advice: string },
): string {
	const lines = places
		.map((place) => ({ place, name: toOneLine(displayPath(root, place.path)) }))
		.toSorted(
			(a, b) =>
				(a.name === b.name ? 0 : a.name < b.name ? -1 : 1) ||
				a.place.line - b.place.line ||
				a.place.column - b.place.column,
		)
		.map(({ place, name }) => `${name}:${place.line}:${place.column}: ${toOneLine(describe(place))}`);
	const shown = takeFitting(lines.slice(0, maxPlaces), maxBytes);
	const left = lines.length - shown.length;
	return left === 0 ? shown.join("\n") : `${shown.join("\n")}\n\n[${left} more not shown. ${advice}]`;
}

/** A message with line breaks must not pass for several. */
function toOneLine(text: string): string {
	return text.replaceAll(/\s*[\r\n]+\s*/gu, " ").replaceAll(/\p{Cc}/gu, "\uFFFD");
}
