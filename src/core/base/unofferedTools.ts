/** Tools of the systems whose files we read: they mean something there and nothing here, so that nobody is to blame. */
export const unofferedTools: ReadonlySet<string> = new Set([
	"memory_search",
	"memory_write",
	"gateway",
	"cron",
	"sessions_delete",
]);
