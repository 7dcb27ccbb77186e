import type { Disposable } from "../base/disposable.ts";
import { ProblemError } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import { hashBytes } from "../base/hashBytes.ts";
import { createId } from "../base/ids.ts";
import { renderWork } from "../plans/renderWork.ts";
import type { Clock } from "../ports/clock.ts";
import type { Surface } from "../runs/approval.ts";
import type { Plan, PlanComment, PlanRevision } from "../runs/plan.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import type { AcceptRun } from "../store/acceptRun.ts";
import type { Database } from "../store/database.ts";
import type { DecidePlan } from "../store/plans.ts";
import type { SessionControl } from "./sessionControl.ts";

export interface PlanDeskOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly control: SessionControl;
	onChanged(runs: readonly Run[], events: readonly RunEvent[]): void;
	onError(error: unknown): void;
}

export interface Decision {
	readonly by: Surface | "agent";
	/** Of the text that was shown; what is saved meanwhile is another plan. Without it, whatever is saved last. */
	readonly hash?: string;
}

/** Where plans wait for a person. The record is the truth: whoever decides first has decided. */
export class PlanDesk implements Disposable {
	readonly #options: PlanDeskOptions;
	readonly #changed: Emitter<void>;
	#awaiting: readonly Plan[] = [];

	/** What waits has changed, or the text of what waits. */
	readonly onDidChange: Event<void>;

	constructor(options: PlanDeskOptions) {
		this.#options = options;
		this.#changed = new Emitter((error) => options.onError(error));
		this.onDidChange = this.#changed.event;
	}

	/** Oldest first. */
	get awaiting(): readonly Plan[] {
		return this.#awaiting;
	}

	/** A plan by its id, or by the beginning of it where that is unique. */
	async find(idOrPrefix: string): Promise<Plan> {
		const prefix = idOrPrefix.startsWith("pln_") ? idOrPrefix : `pln_${idOrPrefix}`;
		const [first, second] = idOrPrefix.trim() === "" ? [] : await this.#options.database.call("findPlans", { prefix });
		if (first && !second) return first;
		const message = first
			? `Several plans begin with ${idOrPrefix}. Give more of the id.`
			: `There is no plan ${idOrPrefix} in this workspace.`;
		throw new ProblemError({ code: first ? "plan.ambiguous" : "plan.notFound", message });
	}

	ofRun(runId: string): Promise<Plan | null> {
		return this.#options.database.call("getPlanOfRun", { runId });
	}

	revisions(id: string): Promise<PlanRevision[]> {
		return this.#options.database.call("listPlanRevisions", { id });
	}

	/** What its session has done since it was approved, beside what it said, as Markdown. */
	async describeWork(id: string, nameFile: (file: string) => string): Promise<string> {
		const plan = await this.find(id);
		return renderWork(plan, await this.#options.database.call("listWorkOfPlan", { planId: plan.id }), nameFile);
	}

	/** Keeps an edited text as the next revision. Rejects when the plan is decided. */
	async save(id: string, text: string): Promise<Plan> {
		const { database, clock } = this.#options;
		const saved = await database.call("savePlan", { id, text, hash: hashOfPlan(text), at: clock.now() });
		if (!saved) throw new ProblemError(decidedProblem(await this.find(id)));
		await this.look();
		return saved;
	}

	/** Starts a run that carries the plan out in its session, as it was made or as it was edited. */
	async approve(id: string, decision: Decision): Promise<{ plan: Plan; run: Run }> {
		const plan = await this.find(id);
		const { text, author, hash } = plan;
		const prompt =
			author === "agent"
				? "Your plan is approved as it is. Carry it out now. What it lists under Files and Commands needs no asking; anything else may be asked."
				: `Your plan is approved with changes. This is the plan that binds; carry it out now:\n\n${text}`;
		const next = await this.#next(plan, { task: `Carry out: ${plan.title}`, prompt, planMode: false, planId: id });
		const decided = await this.#decide(plan, { ...decision, to: "approved", hash: decision.hash ?? hash, next });
		return { plan: decided.plan, run: decided.run as Run };
	}

	/** Sends it back with the reasons; the session plans again. */
	async reject(id: string, reason: string, decision: Decision): Promise<{ plan: Plan; run: Run }> {
		const plan = await this.find(id);
		if (reason.trim() === "") {
			throw new ProblemError({ code: "plan.noReason", message: "Say what is to be different, or close the plan." });
		}
		const prompt = `Your plan is rejected. Make another one that heeds this:\n\n${reason.trim()}`;
		const next = await this.#next(plan, { task: `Plan again: ${plan.title}`, prompt, planMode: true });
		const decided = await this.#decide(plan, { ...decision, to: "rejected", reason: reason.trim(), next });
		return { plan: decided.plan, run: decided.run as Run };
	}

	/** Leaves it at that: nothing is carried out and nothing planned again. */
	async close(id: string, decision: Decision): Promise<Plan> {
		const plan = await this.find(id);
		return (await this.#decide(plan, { ...decision, to: "closed", next: null })).plan;
	}

	comments(planId: string): Promise<PlanComment[]> {
		return this.#options.database.call("listPlanComments", { planId });
	}

	/** Adds a remark on a line, or with its id changes the words of one. */
	async comment(remark: Omit<PlanComment, "id" | "at"> & { readonly id?: string }): Promise<PlanComment> {
		const { database, clock } = this.#options;
		const comment = { ...remark, id: remark.id ?? createId("comment"), at: clock.now() };
		await database.call("putPlanComment", comment);
		this.#changed.fire();
		return comment;
	}

	async removeComment(id: string): Promise<void> {
		await this.#options.database.call("removePlanComment", { id });
		this.#changed.fire();
	}

	/** Reads what waits now. */
	async look(): Promise<void> {
		const before = stampOf(this.#awaiting);
		this.#awaiting = await this.#options.database.call("listAwaitingPlans");
		if (before !== stampOf(this.#awaiting)) this.#changed.fire();
	}

	dispose(): void {
		this.#changed.dispose();
	}

	/** The run that follows a decision: in the same session, for the same requester, and announced like any other. */
	async #next(
		plan: Plan,
		what: { readonly task: string; readonly prompt: string; readonly planMode: boolean; readonly planId?: string },
	): Promise<AcceptRun> {
		const { database, control } = this.#options;
		const planned = await database.call("getRun", { runId: plan.runId });
		if (!planned) throw new ProblemError({ code: "run.notFound", message: "The run that made this plan is gone." });
		const session = await control.session(plan.sessionId);
		const requester = planned.requesterSessionId === null ? null : await control.session(planned.requesterSessionId);
		const { planId: _old, ...request } = planned.request;
		const { task, prompt, planMode, planId } = what;
		return {
			...control.newRun(planned, session),
			cause: "plan",
			task,
			prompt,
			requester,
			label: planned.label,
			announceForm: planned.announceForm,
			parentRunId: planned.parentRunId,
			request: { ...request, context: null, planMode, ...(planId !== undefined && { planId }) },
		};
	}

	async #decide(
		plan: Plan,
		decision: Decision & Pick<DecidePlan, "to" | "next"> & { readonly reason?: string },
	): Promise<{ plan: Plan; run: Run | null }> {
		const { database, clock } = this.#options;
		const { to, next, by, hash = null, reason = null } = decision;
		if (plan.state !== "awaiting") throw new ProblemError(decidedProblem(plan));
		const input = { id: plan.id, to, hash, reason, by, pid: process.pid, next, at: clock.now() };
		const decided = await database.call("decidePlan", input);
		if (!decided) throw new ProblemError({ code: "plan.notFound", message: "There is no such plan any more." });
		if (decided.kind === "late") throw new ProblemError(decidedProblem(decided.plan));
		if (decided.kind === "changed") {
			const message = "The plan was changed after you had opened it. Look at it as it is now, then decide.";
			throw new ProblemError({ code: "plan.changed", message });
		}
		await this.look();
		this.#options.onChanged(decided.run ? [decided.run] : [], decided.events);
		return decided;
	}
}

/** What is approved is bound by this: the text to the byte. */
export function hashOfPlan(text: string): string {
	return hashBytes(Buffer.from(text));
}

function stampOf(plans: readonly Plan[]): string {
	return plans.map(({ id, hash }) => `${id}:${hash}`).join();
}

function decidedProblem({ state, decidedBy, decidedAt }: Plan) {
	const at = decidedAt === null ? "" : ` at ${new Date(decidedAt).toISOString().slice(11, 19)} UTC`;
	const message =
		state === "failed"
			? "This plan was not finished, so it can't be approved or rejected. Spawn the task again."
			: `This plan was ${state} before${decidedBy === null ? "" : ` (${decidedBy})`}${at}. That decision holds.`;
	return { code: "plan.decided", message };
}
