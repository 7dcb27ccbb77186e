import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { VscodeServer } from "../../vscode/server.ts";

export interface StoredRun {
	readonly id: string;
	readonly state: string;
	readonly cause: string;
	readonly task: string;
	readonly sessionId: string;
}

/** What Muster has on disk for all workspaces of a VS Code, read behind its back. */
export function storedRuns(server: VscodeServer): StoredRun[] {
	return query<StoredRun>(server, "SELECT id, state, cause, task, session_id AS sessionId FROM run ORDER BY seq");
}

/** The announcements that have reached the user's session. */
export function storedAnnouncements(server: VscodeServer): string[] {
	const rows = query<{ text: string }>(
		server,
		`SELECT entry.text FROM entry JOIN session ON session.id = entry.session_id
		WHERE session.key = 'agent:main:user' AND entry.kind = 'announcement' ORDER BY entry.seq`,
	);
	return rows.map(({ text }) => text);
}

function query<Row>(server: VscodeServer, sql: string): Row[] {
	const workspaces = path.join(server.home, ".muster", "workspaces");
	const names = fs.existsSync(workspaces) ? fs.readdirSync(workspaces) : [];
	return names.flatMap((name) => {
		const file = path.join(workspaces, name, "muster.db");
		if (!fs.existsSync(file)) return [];
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			return database.prepare(sql).all() as Row[];
		} finally {
			database.close();
		}
	});
}
