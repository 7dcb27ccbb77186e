import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../../../src/core/permissions/childEnvironment.ts";

const options = { roots: ["/ws"], platform: "linux" } as const;

describe("childEnvironment", () => {
	it("keeps what programs need and names what it drops", () => {
		const kept = { HOME: "/home/me", LANG: "C", LC_ALL: "C", TERM: "xterm", TZ: "UTC", NO_PROXY: "localhost" };
		const certificates = { SSL_CERT_FILE: "/etc/ssl/a.pem", NODE_EXTRA_CA_CERTS: "/etc/ssl/b.pem" };
		const dropped = {
			AWS_SECRET_ACCESS_KEY: "x",
			BASH_ENV: "x",
			GIT_SSH_COMMAND: "x",
			LD_PRELOAD: "x",
			RANDOM_NAME: "x",
		};
		expect(childEnvironment({ ...dropped, ...kept, ...certificates, MISSING: undefined }, options)).toEqual({
			env: { ...kept, ...certificates },
			dropped: Object.keys(dropped),
		});
	});

	it("takes relative, empty and workspace folders out of the path", () => {
		const { env } = childEnvironment({ PATH: "/usr/bin::.:bin:/ws/node_modules/.bin:/bin" }, options);
		expect(env).toEqual({ PATH: "/usr/bin:/bin" });
	});

	it("takes user and password out of a proxy's address", () => {
		const parent = {
			HTTPS_PROXY: "http://me:pw@proxy:8080",
			http_proxy: "me:pw@proxy:8080",
			ALL_PROXY: "socks5://proxy:1",
		};
		expect(childEnvironment(parent, options)).toEqual({
			env: { HTTPS_PROXY: "http://proxy:8080", http_proxy: "proxy:8080", ALL_PROXY: "socks5://proxy:1" },
			dropped: ["HTTPS_PROXY (user and password)", "http_proxy (user and password)"],
		});
		expect(childEnvironment({ HTTP_PROXY: "http://a@b@:x/" }, options)).toEqual({ env: {}, dropped: ["HTTP_PROXY"] });
	});

	it("keeps what the user names, but nothing that makes programs load something else", () => {
		const parent = { SSH_AUTH_SOCK: "/s", MY_TOKEN: "t", NODE_OPTIONS: "--require x", "BASH_FUNC_a%%": "() { :; }" };
		expect(childEnvironment(parent, { ...options, alsoKeep: Object.keys(parent) })).toEqual({
			env: { SSH_AUTH_SOCK: "/s", MY_TOKEN: "t" },
			dropped: ["BASH_FUNC_a%%", "NODE_OPTIONS"],
		});
	});

	it("drops a listed name whose value is a secret or a function", () => {
		const parent = { TERM: `ghp_${"a".repeat(36)}`, LANG: "() { :; }", SSL_CERT_FILE: "-----BEGIN" };
		expect(childEnvironment(parent, options)).toEqual({ env: {}, dropped: ["LANG", "SSL_CERT_FILE", "TERM"] });
	});

	it("keeps on Windows what programs need there, whatever its case", () => {
		const parent = { Path: "C:\\Windows;tools", SystemRoot: "C:\\Windows", Secret: "x" };
		expect(childEnvironment(parent, { roots: [], platform: "win32" })).toEqual({
			env: { Path: "C:\\Windows", SystemRoot: "C:\\Windows" },
			dropped: ["Secret"],
		});
	});
});
