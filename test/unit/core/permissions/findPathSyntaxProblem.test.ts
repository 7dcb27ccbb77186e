import { describe, expect, it } from "vitest";
import { findPathSyntaxProblem } from "../../../../src/core/permissions/findPathSyntaxProblem.ts";

describe("findPathSyntaxProblem", () => {
	it.each(["", ".", "a.txt", "sub/../a", "..foo", "./~name", "ünï/ödé 🎉.ts", "a b/c", "/ws/a.txt", "C:\\ws\\a.txt"])(
		"finds nothing wrong with %j on any system",
		(path) => {
			expect(findPathSyntaxProblem(path, "linux")).toBeUndefined();
			expect(findPathSyntaxProblem(path, "win32")).toBeUndefined();
		},
	);

	it.each([
		["a\0b", "control character"],
		["a\nb", "control character"],
		["a\u0085b", "control character"],
		["a\ud800b", "control character"],
		["\\\\host\\share\\x", "network"],
		["//host/share/x", "network"],
		["\\\\?\\C:\\x", "network or device"],
		["\\\\.\\pipe\\x", "network or device"],
		["//?/C:/x", "network or device"],
		["~", "not expanded"],
		["~/.ssh/id_rsa", "not expanded"],
		["~root/x", "not expanded"],
		["file:///etc/passwd", "URI"],
		["FILE:/etc/passwd", "URI"],
		["https://example.org/x", "URI"],
		["vscode-remote://host/x", "URI"],
		["C:x", "relative to a drive"],
		["x".repeat(4_097), "longer than 4096 bytes"],
		["é".repeat(2_049), "longer than 4096 bytes"],
	])("refuses %j on every system", (path, problem) => {
		expect(findPathSyntaxProblem(path, "linux")).toContain(problem);
		expect(findPathSyntaxProblem(path, "win32")).toContain(problem);
	});

	it.each([
		["notes.txt:stream", '":"'],
		[".git::$INDEX_ALLOCATION", '":"'],
		["C:\\ws\\a:b", '":"'],
		["GIT~1/config", "8.3"],
		[".git./config", "dot or a space"],
		[".git /config", "dot or a space"],
		["a/b.", "dot or a space"],
		[".../x", "dot or a space"],
		["CON", "reserves"],
		["src/nul.txt", "reserves"],
		["com1\\x", "reserves"],
		["what?.txt", "does not allow"],
	])("refuses %j on Windows, where it is not what it seems, and not elsewhere", (path, problem) => {
		expect(findPathSyntaxProblem(path, "win32")).toContain(problem);
		expect(findPathSyntaxProblem(path.replace("C:", ""), "linux")).toBeUndefined();
	});

	it.each(["..", "../x", "a/..", "./a", "console.log", "common/x", "a.b.c"])(
		"takes %j for a plain path on Windows",
		(path) => {
			expect(findPathSyntaxProblem(path, "win32")).toBeUndefined();
		},
	);
});
