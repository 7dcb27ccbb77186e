import { describe, expect, it } from "vitest";
import { resolveRole, type RoleRequest } from "../../../../src/core/config/resolveRole.ts";

const cases: readonly { says: string; request: RoleRequest; role?: string; label?: string; task: string }[] = [
	{
		says: "S0-06: the parameter counts first",
		request: { role: "qa", agentRole: "a", label: "[b] l", task: "[c] t" },
		role: "qa",
		label: "[b] l",
		task: "[c] t",
	},
	{
		says: "S0-06: then the agent's role",
		request: { agentRole: "a", label: "[b] l", task: "[c] t" },
		role: "a",
		label: "[b] l",
		task: "[c] t",
	},
	{
		says: "S0-06: then the label's prefix",
		request: { label: "[frontend] l", task: "[backend] t" },
		role: "frontend",
		label: "l",
		task: "[backend] t",
	},
	{
		says: "S0-06: then the task's",
		request: { label: "l", task: "[backend] t" },
		role: "backend",
		label: "l",
		task: "t",
	},
	{ says: "S0-06: any letter case", request: { role: " QA ", task: "[Qa] t" }, role: "qa", task: "t" },
	{ says: "S0-06: no default", request: { task: "t" }, task: "t" },
	...["[qa team] t", "[] t", "[open t", "t [qa]", "[qa](https://example.org) t", "[[qa]] t", "[ä] t"].map((task) => ({
		says: `S0-06: no role in ${task}`,
		request: { task },
		task,
	})),
	{
		says: "S0-07: the prefix is taken off wherever it names the role",
		request: { label: " [qa]  l", task: "[QA]\nt" },
		role: "qa",
		label: "l",
		task: "t",
	},
	{ says: "S0-07: a task that is nothing else stays", request: { task: "[qa] " }, role: "qa", task: "[qa] " },
	{ says: "blank names are none", request: { role: " ", agentRole: "", task: "[qa] t" }, role: "qa", task: "t" },
];

describe("resolveRole", () => {
	it.each(cases)("$says", ({ request, role, label, task }) => {
		expect(resolveRole(request)).toEqual({ role, label, task });
	});

	it.each(["../x", "a/b", "a b", "..", "ä"])("S0-08: refuses the parameter %j", (role) => {
		const resolved = resolveRole({ role, task: "[qa] t" });
		expect(resolved.problem?.code).toBe("role.name");
		expect(resolved).not.toHaveProperty("role");
	});
});
