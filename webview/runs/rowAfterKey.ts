/** Where a movement key leads in a list of `rowCount` rows; `undefined` for every other key. */
export function rowAfterKey(key: string, current: number, rowCount: number, pageSize: number): number | undefined {
	const within = (row: number) => Math.max(0, Math.min(rowCount - 1, row));
	switch (key) {
		case "ArrowUp":
			return within(current - 1);
		case "ArrowDown":
			return within(current + 1);
		case "PageUp":
			return within(current - pageSize);
		case "PageDown":
			return within(current + pageSize);
		case "Home":
			return 0;
		case "End":
			return within(rowCount - 1);
		default:
			return undefined;
	}
}
