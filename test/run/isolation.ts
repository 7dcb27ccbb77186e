import { spawnSync } from "node:child_process";
import { startRefusingProxy } from "./refusingProxy.ts";

/** A way to run programs so that no request of theirs leaves this machine. */
export interface Isolation {
	/** Completes the sentence "The network is …". */
	readonly description: string;
	readonly env: Readonly<Record<string, string>>;
	/** The command line that runs this one isolated. */
	wrap(command: readonly string[]): readonly string[];
	/** What was asked for outside, as far as that can be seen. */
	end(): Promise<readonly string[]>;
}

const raiseLoopback = 'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up && exec "$@"';
/** As root; as anybody, where the kernel allows that. */
const namespaces = [
	["unshare", "--net"],
	["unshare", "--map-root-user", "--net"],
];

/**
 * An empty network namespace, where the kernel itself refuses, if this machine lets us have one; else a proxy that
 * refuses, which only holds those back who heed it.
 */
export async function isolate(): Promise<Isolation> {
	for (const namespace of namespaces) {
		const wrap = (command: readonly string[]) => [...namespace, "sh", "-c", raiseLoopback, "sh", ...command];
		if (!isCutOff(wrap)) continue;
		return { description: "cut off by an empty network namespace", env: {}, wrap, end: async () => [] };
	}
	const proxy = await startRefusingProxy();
	return {
		description: "behind a proxy that refuses: this machine does not let us have a network namespace",
		env: {
			MUSTER_TEST_PROXY: proxy.url,
			HTTP_PROXY: proxy.url,
			HTTPS_PROXY: proxy.url,
			NO_PROXY: "127.0.0.1,localhost,::1",
			NODE_USE_ENV_PROXY: "1",
		},
		wrap: (command) => command,
		async end() {
			await proxy.close();
			return proxy.attempts;
		},
	};
}

/** Tried, not guessed: this machine answers and an address outside cannot even be routed to. */
function isCutOff(wrap: Isolation["wrap"]): boolean {
	const script = `
		const net = require("node:net");
		const outside = net.connect(9, "192.0.2.1").on("error", ({ code }) => {
			if (code !== "ENETUNREACH") process.exit(1);
			const server = net.createServer().listen(0, "127.0.0.1", () =>
				net.connect(server.address().port, "127.0.0.1").on("connect", () => process.exit(0)));
		});
		outside.on("connect", () => process.exit(1));
		setTimeout(() => process.exit(1), 5000);`;
	const [command = "", ...args] = wrap([process.execPath, "-e", script]);
	return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
