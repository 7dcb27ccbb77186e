import { randomUUID } from "node:crypto";
import { ProblemError } from "../../core/base/errors.ts";
import type { Plan } from "../../core/runs/plan.ts";
import type { Runtime } from "../../core/runtime.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";

/** A plan with the runtime that has it. */
export interface FolderPlan {
	readonly plan: Plan;
	readonly runtime: Runtime;
}

export async function findPlan(runtimes: Pick<WorkspaceRuntimes, "opened">, id: string): Promise<FolderPlan> {
	for (const runtime of runtimes.opened()) {
		const plan = await runtime.plans.find(id).catch(() => undefined);
		if (plan) return { plan, runtime };
	}
	throw new ProblemError({ code: "plan.notFound", message: "There is no such plan in this workspace." });
}

/** A row of the Approvals view. As with questions, being one is what lets a command decide at once. */
export class PlanRow implements FolderPlan {
	readonly plan: Plan;
	readonly runtime: Runtime;

	constructor({ plan, runtime }: FolderPlan) {
		this.plan = plan;
		this.runtime = runtime;
	}
}

/** What a lens of ours hands to its command: it says which text was shown. */
export interface PlanTicket {
	readonly planId: string;
	readonly hash: string;
	readonly nonce: string;
}

/** The tickets of the lenses that are on screen. A link in a text can't know one. */
export class PlanTickets {
	readonly #minted = new Map<string, string>();

	mint({ id, hash }: Plan): PlanTicket {
		const known = [...this.#minted].find(([, stamp]) => stamp === `${id}:${hash}`)?.[0];
		const nonce = known ?? randomUUID();
		this.#minted.set(nonce, `${id}:${hash}`);
		return { planId: id, hash, nonce };
	}

	isOurs(argument: unknown): argument is PlanTicket {
		if (typeof argument !== "object" || argument === null) return false;
		const { planId, hash, nonce } = argument as Partial<PlanTicket>;
		return typeof nonce === "string" && this.#minted.get(nonce) === `${planId}:${hash}`;
	}
}
