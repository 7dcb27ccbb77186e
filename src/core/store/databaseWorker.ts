/** The worker thread that owns the database: the only place that writes it. */
import { parentPort, workerData } from "node:worker_threads";
import { BugError, messageOf, type Problem, ProblemError } from "../base/errors.ts";
import type { FromWorker, ToWorker, WorkerData } from "./workerProtocol.ts";

/** How soon a commit of another process is noticed, while something of this host lives and otherwise. */
const pollMs = { busy: 100, idle: 250 };

if (!parentPort) throw new BugError("databaseWorker runs as a worker thread only");
const port = parentPort;
const send = (message: FromWorker) => port.postMessage(message);
const { folder, host, killAt } = workerData as WorkerData;

await start();

async function start(): Promise<void> {
	try {
		await import("node:sqlite");
	} catch (error) {
		return fail({ code: "store.noSqlite", message: messageOf(error) });
	}
	const { storeProblem } = await import("./sqliteErrors.ts");
	await open().catch((error: unknown) =>
		fail(error instanceof ProblemError ? error.problem : storeProblem(folder, error)),
	);
}

/** The message is on its way when the port closes, and then nothing keeps the thread. */
function fail(problem: Problem): void {
	send({ kind: "failed", problem });
	port.close();
}

async function open(): Promise<void> {
	// Only after the probe: these need node:sqlite, and this file must load without it.
	const [{ openStore }, { isHostAlive }, { GroupCommit, beginWrite }, { registerHost }] = await Promise.all([
		import("./openStore.ts"),
		import("./hostLock.ts"),
		import("./groupCommit.ts"),
		import("./hosts.ts"),
	]);
	const { sql, readOnly, lock, warning } = openStore(folder, host);
	if (host && !readOnly) {
		beginWrite(sql);
		registerHost(sql, host);
		sql.exec("COMMIT");
	}
	const commits = new GroupCommit(sql, {
		folder,
		readOnly,
		hostId: host?.hostId ?? null,
		answer: (answers) => send({ kind: "answers", answers }),
		...(killAt && { onCommit: killAtCommit(killAt) }),
	});
	// What others commit from here on is news: what was before is read by whoever opened it.
	sql.hasChangedElsewhere();
	let pace: keyof typeof pollMs = "idle";
	let poll = setInterval(look, pollMs[pace]);
	function look(): void {
		if (sql.hasChangedElsewhere()) send({ kind: "changedElsewhere" });
	}
	port.on("message", (message: ToWorker) => {
		switch (message.kind) {
			case "call":
				return commits.add(message);
			case "poll":
				// Said with every start: a timer that began anew each time would never come to its end.
				if (message.pace === pace) return;
				({ pace } = message);
				clearInterval(poll);
				poll = setInterval(look, pollMs[pace]);
				return look();
			case "isHostAlive":
				return send({
					kind: "answers",
					answers: [{ id: message.id, ok: true, value: isHostAlive(folder, message.hostId) }],
				});
			case "close":
				clearInterval(poll);
				commits.flush();
				sql.close();
				lock?.release();
				return port.close();
		}
	});
	send({ kind: "opened", readOnly, warning });
}

/** For tests of what survives: ends the process as a power cut would, right before or right after its n-th commit. */
function killAtCommit(point: NonNullable<WorkerData["killAt"]>): (moment: "before" | "after") => void {
	let commits = 0;
	return (moment) => {
		if (moment === "before") commits++;
		if (commits === point.commit && moment === point.moment) process.kill(process.pid, "SIGKILL");
	};
}
