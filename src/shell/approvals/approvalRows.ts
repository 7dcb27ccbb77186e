import type { Approval, StandingAnswerRecord } from "../../core/runs/approval.ts";
import type { Runtime } from "../../core/runtime.ts";

/** A question with the runtime that asks it. */
export interface FolderApproval {
	readonly approval: Approval;
	readonly runtime: Runtime;
}

/**
 * A row of the Approvals view. Being one is what lets a command decide at once: menus hand over the very object, while a
 * link in a text can only bring a copy of its facts.
 */
export class ApprovalRow implements FolderApproval {
	readonly approval: Approval;
	readonly runtime: Runtime;

	constructor({ approval, runtime }: FolderApproval) {
		this.approval = approval;
		this.runtime = runtime;
	}
}

/** An answer that holds for longer than one call. */
export class AnswerRow {
	readonly answer: StandingAnswerRecord;
	readonly runtime: Runtime;

	constructor(answer: StandingAnswerRecord, runtime: Runtime) {
		this.answer = answer;
		this.runtime = runtime;
	}
}
