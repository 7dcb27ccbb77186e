import type { Runtime } from "../../src/core/runtime.ts";
import type { Approval } from "../../src/core/runs/approval.ts";
import type { Plan } from "../../src/core/runs/plan.ts";

/** Resolves when so many questions wait for a person. */
export function untilAsked(runtime: Runtime, count = 1): Promise<readonly Approval[]> {
	return new Promise((resolve) => {
		const check = () => {
			if (runtime.approvals.waiting.length !== count) return;
			listener.dispose();
			resolve(runtime.approvals.waiting);
		};
		const listener = runtime.approvals.onDidChange(check);
		check();
	});
}

/** Resolves when a plan waits for a person. */
export function untilPlan(runtime: Runtime): Promise<Plan> {
	return new Promise((resolve) => {
		const check = () => {
			const [plan] = runtime.plans.awaiting;
			if (!plan) return;
			listener.dispose();
			resolve(plan);
		};
		const listener = runtime.plans.onDidChange(check);
		check();
	});
}
