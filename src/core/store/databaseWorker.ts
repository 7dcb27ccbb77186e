/** The worker thread that owns the database: the only place that writes it. */
import { parentPort, workerData } from "node:worker_threads";
import { BugError, messageOf, type Problem } from "../base/errors.ts";
import type { FromWorker, ToWorker, WorkerData } from "./workerProtocol.ts";

/** How soon a commit of another process is noticed. */
const pollMs = 250;

if (!parentPort) throw new BugError("databaseWorker runs as a worker thread only");
const port = parentPort;
const send = (message: FromWorker) => port.postMessage(message);
const { folder, hostId } = workerData as WorkerData;

await start();

async function start(): Promise<void> {
	try {
		await import("node:sqlite");
	} catch (error) {
		return fail({ code: "store.noSqlite", message: messageOf(error) });
	}
	const { storeProblem } = await import("./sqliteErrors.ts");
	await open().catch((error: unknown) => fail(storeProblem(folder, error)));
}

/** The message is on its way when the port closes, and then nothing keeps the thread. */
function fail(problem: Problem): void {
	send({ kind: "failed", problem });
	port.close();
}

async function open(): Promise<void> {
	// Only after the probe: these need node:sqlite, and this file must load without it.
	const [{ openDatabase }, { holdHostLock, isHostAlive }, { GroupCommit }] = await Promise.all([
		import("./openDatabase.ts"),
		import("./hostLock.ts"),
		import("./groupCommit.ts"),
	]);
	const { sql, isReadOnly } = openDatabase(folder);
	const lock = hostId === null ? undefined : holdHostLock(folder, hostId);
	const commits = new GroupCommit(sql, { folder, isReadOnly, answer: (answers) => send({ kind: "answers", answers }) });
	const poll = setInterval(() => sql.hasChangedElsewhere() && send({ kind: "changedElsewhere" }), pollMs);
	port.on("message", (message: ToWorker) => {
		switch (message.kind) {
			case "call":
				return commits.add(message);
			case "isHostAlive":
				return send({
					kind: "answers",
					answers: [{ id: message.id, ok: true, value: isHostAlive(folder, message.hostId) }],
				});
			case "close":
				clearInterval(poll);
				commits.flush();
				lock?.release();
				sql.close();
				return port.close();
		}
	});
	send({ kind: "opened", isReadOnly });
}
