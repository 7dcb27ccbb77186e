/** What people have agreed to by its hash: MCP servers that this folder brings, exactly as they were shown. */
export const consents = `
	CREATE TABLE consent (
		hash TEXT PRIMARY KEY,
		server TEXT NOT NULL,
		subject TEXT NOT NULL,
		at INTEGER NOT NULL,
		revoked_at INTEGER
	) STRICT;
`;
