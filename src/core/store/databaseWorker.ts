/** The worker thread that owns the database: the only place that writes it. */
import { parentPort, workerData } from "node:worker_threads";
import { BugError, messageOf, type Problem, ProblemError } from "../base/errors.ts";
import type { Lock } from "./hostLock.ts";
import type { FromWorker, KillAt, ToWorker, WorkerData } from "./workerProtocol.ts";

/** How soon a commit of another process is noticed, while something of this host lives and otherwise. */
const pollMs = { busy: 100, idle: 250 };

if (!parentPort) throw new BugError("databaseWorker runs as a worker thread only");
const port = parentPort;
const send = (message: FromWorker) => port.postMessage(message);
const { folder, host, userFolder, killAt } = workerData as WorkerData;

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

/** Only after the probe: these need node:sqlite, and this file must load without it. */
async function loadParts() {
	const [store, locks, commits, registration, user] = await Promise.all([
		import("./openStore.ts"),
		import("./hostLock.ts"),
		import("./groupCommit.ts"),
		import("./register.ts"),
		import("./userDesk.ts"),
	]);
	return { ...store, ...locks, ...commits, ...registration, ...user };
}

async function open(): Promise<void> {
	const { openStore, isHostAlive, GroupCommit, register, registerAnew, UserDesk } = await loadParts();
	const { sql, readOnly, warning, ...opened } = openStore(folder, host);
	let { lock } = opened;
	if (host && !readOnly) register(sql, host);
	const commits = new GroupCommit(sql, {
		folder,
		readOnly,
		hostId: host?.hostId ?? null,
		answer: (answers) => send({ kind: "answers", answers }),
		onDispossessed(why) {
			// Who has the database now may take over what is left here.
			if (why === "newer") lock = releaseLock(lock);
			send({ kind: "dispossessed", why });
		},
		...(killAt && { onCommit: killAtCommit(killAt) }),
	});
	// What others commit from here on is news: what was before is read by whoever opened it.
	sql.hasChangedElsewhere();
	let pace: keyof typeof pollMs = "idle";
	let poll = setInterval(look, pollMs[pace]);
	function look(): void {
		if (sql.hasChangedElsewhere()) send({ kind: "changedElsewhere" });
	}
	const user = userFolder === undefined ? undefined : new UserDesk(folder, userFolder);
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
			case "register": {
				const { answer, ...registered } = registerAnew(message, { sql, folder, lock, commits });
				({ lock } = registered);
				return send({ kind: "answers", answers: [answer] });
			}
			case "user": {
				const { id, name, input } = message;
				return send({ kind: "answers", answers: user ? [user.answer(id, name, input)] : [] });
			}
			case "close":
				clearInterval(poll);
				commits.flush();
				user?.close();
				sql.close();
				lock = releaseLock(lock);
				return port.close();
		}
	});
	send({ kind: "opened", readOnly, warning });
}

function releaseLock(lock: Lock | null): null {
	lock?.release();
	return null;
}

/** For tests of what survives: ends the process as a power cut would, right before or right after a commit. */
function killAtCommit(point: KillAt): (moment: "before" | "after", names: readonly string[]) => void {
	let commits = 0;
	return (moment, names) => {
		if (moment === "before") commits++;
		const isReached = "call" in point ? names.includes(point.call) : commits === point.commit;
		if (isReached && moment === point.moment) process.kill(process.pid, "SIGKILL");
	};
}
