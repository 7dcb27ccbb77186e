import type { RunId, SessionId } from "../base/ids.ts";

/** How far an answer reaches: this very call, the rest of the run, every run of the agent, or everywhere. */
export type ApprovalScope = "once" | "run" | "agent" | "always";

/** `withdrawn`: its run ended before anybody answered. */
export type ApprovalState = "waiting" | "allowed" | "denied" | "withdrawn";

/** Where a person answered; `expiry` when nobody did, within the time that the user has set. */
export type Surface = "notification" | "tree" | "editor" | "panel" | "chat" | "cli" | "terminal" | "expiry";

/** A question to a person, as the store has it. It is answered once; the record is the truth, whatever is shown of it. */
export interface Approval {
	readonly id: string;
	readonly runId: RunId;
	readonly sessionId: SessionId;
	/** The agents on the way down to who asks, e.g. `main › scout`. */
	readonly agentPath: string;
	readonly callId: string;
	readonly tool: string;
	/** What kind of effect it would have. */
	readonly effect: "none" | "read" | "write" | "run" | "fetch" | "search" | "mcp" | "start" | "spawn";
	/** The exact bytes: the command, the URL, the real path. */
	readonly subject: string;
	/** The whole call, as JSON. */
	readonly input: string;
	/** Of the run, the call and all of its input: an answer holds for nothing else. */
	readonly hash: string;
	/** Why it is asked. */
	readonly why: string;
	/** How far an answer may reach besides `once`, and the rules that it would make. */
	readonly offers: readonly ApprovalOffer[];
	readonly createdAt: number;
	readonly state: ApprovalState;
	readonly scope: ApprovalScope | null;
	/** The person's words to the model. */
	readonly reason: string | null;
	readonly answeredBy: Surface | null;
	readonly answeredPid: number | null;
	readonly answeredAt: number | null;
}

export interface ApprovalOffer {
	readonly scope: ApprovalScope;
	readonly rules: readonly string[];
}

/** An answer that holds for longer than one call, until it is revoked. */
export interface StandingAnswerRecord {
	readonly id: string;
	readonly verdict: "allow" | "deny";
	/** `always`: in every workspace of the user. */
	readonly scope: "run" | "agent" | "always";
	/** Who asked when it was given. */
	readonly runId: RunId;
	readonly agentId: string;
	/** Of the agent's file when it was given: another text is another agent. */
	readonly agentHash: string | null;
	readonly rule: string;
	readonly createdAt: number;
}
