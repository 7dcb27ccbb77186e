/** One line per call. `fields` are ids and facts (runId, sessionId, agentId, lane, …), never file contents or secrets. */
export interface Logger {
	info(message: string, fields?: LogFields): void;
	warn(message: string, fields?: LogFields): void;
	error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;
