/** `42s`, `3m 5s`, `2h 10m`. */
export function formatDuration(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	if (seconds < 60) return `${seconds}s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
	return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** `999`, `1.2k`, `12k`. */
export function formatCount(count: number): string {
	if (count < 1000) return String(count);
	return count < 10_000 ? `${(count / 1000).toFixed(1).replace(/\.0$/u, "")}k` : `${Math.round(count / 1000)}k`;
}
