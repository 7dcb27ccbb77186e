/** The candidate that was probably meant, or `undefined` when none is close enough to suggest. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
	const [nearest] = candidates
		.map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
		.filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
		.toSorted((a, b) => a.distance - b.distance);
	return nearest?.candidate;
}

/** How many letters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 0; i < from.length; i++) {
		const next = [i + 1];
		for (let j = 0; j < to.length; j++) {
			const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row[to.length] ?? 0;
}
