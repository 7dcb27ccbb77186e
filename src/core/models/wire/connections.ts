import http from "node:http";
import https from "node:https";

/** How long an idle connection is kept for the next request. A connection in use is never timed out here. */
const idleMs = 30_000;
const kept = { keepAlive: true, scheduling: "lifo", timeout: idleMs, maxFreeSockets: 32 } as const;

const direct = { http: new http.Agent(kept), https: new https.Agent(kept) };
let outward: { readonly http: http.Agent; readonly https: https.Agent } = direct;

/**
 * For the command line: sends requests through HTTP_PROXY, HTTPS_PROXY and NO_PROXY of this environment. Inside VS Code
 * nobody calls it, because VS Code puts its own proxy under `node:http`. False on a Node that cannot (before 24.5).
 */
export function takeProxyFrom(environment: NodeJS.ProcessEnv): boolean {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major < 24 || (major === 24 && minor < 5)) return false;
	const options = { ...kept, proxyEnv: environment };
	outward = { http: new http.Agent(options), https: new https.Agent(options) };
	return true;
}

/** Connections to this machine never take a proxy. */
export function agentFor(url: URL): http.Agent {
	const agents = isLoopback(url) ? direct : outward;
	return url.protocol === "https:" ? agents.https : agents.http;
}

export function isLoopback({ hostname }: URL): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(hostname);
}
