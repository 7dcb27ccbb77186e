/**
 * Every id that the extension contributes. A guard test holds package.json to these tables, in both directions.
 */
export const extensionId = "muster.muster";

export const commands = {
	spawn: { id: "muster.spawn", title: "Spawn Subagent…" },
	spawnPlan: { id: "muster.spawnPlan", title: "Spawn Subagent in Plan Mode…" },
	spawnAgent: { id: "muster.spawnAgent", title: "Spawn This Agent" },
	spawnOnSelection: { id: "muster.spawnOnSelection", title: "Spawn Subagent on Selection…" },
	spawnAgain: { id: "muster.spawnAgain", title: "Spawn Again…" },
	stopRun: { id: "muster.stopRun", title: "Stop Subagent" },
	stopAll: { id: "muster.stopAll", title: "Stop All Subagents…" },
	sendMessage: { id: "muster.sendMessage", title: "Send Message to Subagent…" },
	pauseRun: { id: "muster.pauseRun", title: "Pause Subagent" },
	continueRun: { id: "muster.continueRun", title: "Continue Subagent" },
	resumeRun: { id: "muster.resumeRun", title: "Resume Subagent" },
	startNext: { id: "muster.startNext", title: "Start Next" },
	pauseQueue: { id: "muster.pauseQueue", title: "Pause the Queue" },
	continueQueue: { id: "muster.continueQueue", title: "Continue the Queue" },
	removeRun: { id: "muster.removeRun", title: "Remove Subagent" },
	retryDelivery: { id: "muster.retryDelivery", title: "Retry Delivery" },
	dismissDelivery: { id: "muster.dismissDelivery", title: "Dismiss Undelivered Result" },
	endHost: { id: "muster.endHost", title: "End Window That Does Not Answer…" },
	clearFinished: { id: "muster.clearFinished", title: "Clear Finished Subagents" },
	restoreRun: { id: "muster.restoreRun", title: "Restore Subagent…" },
	openTranscript: { id: "muster.openTranscript", title: "Open Transcript" },
	exportTranscript: { id: "muster.exportTranscript", title: "Export Transcript…" },
	openPanel: { id: "muster.openPanel", title: "Open Ops Panel" },
	resumeParked: { id: "muster.resumeParked", title: "Resume Parked Subagents" },
	setUpWorkspace: { id: "muster.setUpWorkspace", title: "Set Up This Workspace" },
	newAgent: { id: "muster.newAgent", title: "New Agent…" },
	newSkill: { id: "muster.newSkill", title: "New Skill…" },
	enableSkill: { id: "muster.enableSkill", title: "Enable Skill" },
	disableSkill: { id: "muster.disableSkill", title: "Disable Skill" },
	explainConfiguration: { id: "muster.explainConfiguration", title: "Explain Configuration" },
	moveSecret: { id: "muster.moveSecret", title: "Move Secret to Secret Storage…" },
	setApiKey: { id: "muster.setApiKey", title: "Set API Key…" },
	pickModel: { id: "muster.pickModel", title: "Pick Model" },
	openPlan: { id: "muster.openPlan", title: "Open Plan" },
	approvePlan: { id: "muster.approvePlan", title: "Approve Plan" },
	rejectPlan: { id: "muster.rejectPlan", title: "Reject Plan…" },
	closePlan: { id: "muster.closePlan", title: "Close Plan" },
	showPlanWork: { id: "muster.showPlanWork", title: "Show What Was Done of a Plan" },
	comparePlan: { id: "muster.comparePlan", title: "Show What Was Edited in a Plan" },
	addPlanComment: { id: "muster.addPlanComment", title: "Add Remark" },
	removePlanComment: { id: "muster.removePlanComment", title: "Remove Remark" },
	reviewApproval: { id: "muster.reviewApproval", title: "Review Approval…" },
	allowOnce: { id: "muster.allowOnce", title: "Allow Once" },
	allowForRun: { id: "muster.allowForRun", title: "Allow for This Run" },
	allowForAgent: { id: "muster.allowForAgent", title: "Allow for This Agent" },
	allowAlways: { id: "muster.allowAlways", title: "Always Allow" },
	denyApproval: { id: "muster.denyApproval", title: "Deny…" },
	revokeAnswer: { id: "muster.revokeAnswer", title: "Revoke Answer" },
	restartServer: { id: "muster.restartServer", title: "Restart MCP Server" },
	stopServer: { id: "muster.stopServer", title: "Stop MCP Server" },
	signInServer: { id: "muster.signInServer", title: "Sign In to MCP Server…" },
	signOutServer: { id: "muster.signOutServer", title: "Sign Out of MCP Server" },
	copyServerCommand: { id: "muster.copyServerCommand", title: "Copy Command" },
	forgetConsent: { id: "muster.forgetConsent", title: "Ask Again Before Starting" },
	showLog: { id: "muster.showLog", title: "Show Log" },
} as const;
export type CommandName = keyof typeof commands;

export const views = {
	container: "muster",
	subagents: "muster.subagents",
	approvals: "muster.approvals",
	agents: "muster.agents",
	skills: "muster.skills",
	mcpServers: "muster.mcpServers",
} as const;

export const contextKeys = {
	/** Why Muster cannot work here: `noSqlite` or `storeFailed`; unset when it can. */
	unavailable: "muster.unavailable",
	/** Whether there are parked runs to resume. */
	hasParked: "muster.hasParked",
} as const;

export const statusBarItem = "muster.status";
export const panelType = "muster.opsPanel";
export const planScheme = "muster-plan";
/** Of what belongs to a plan and can only be read. */
export const planViewScheme = "muster-plan-view";
export const planLanguage = "muster-plan";
export const approvalScheme = "muster-approval";
export const transcriptScheme = "muster-transcript";

/** Rows of the Skills view that can be switched. */
export const skillContextValues = { enabled: "skill.enabled", disabled: "skill.disabled" } as const;

/** A problem whose secret can be moved out of its file. */
export const secretContextValue = "problem.secret";

/** A row of the Agents view that can be spawned. */
export const agentContextValue = "agent";

/** Rows of the Approvals view: what can be answered more widely, and what holds. */
export const approvalContextValues = {
	once: "approval.once",
	run: "approval.run",
	agent: "approval.agent",
	wide: "approval.wide",
	answer: "approval.answer",
	plan: "approval.plan",
} as const;

/** Rows of the MCP Servers view: what a run has started, and the rest; each may be one that people sign in to. */
export const serverContextValues = {
	configured: "server.configured",
	started: "server.started",
	configuredRemote: "server.configured.remote",
	startedRemote: "server.started.remote",
	/** It was started, and waits for somebody to sign in. */
	signIn: "server.started.signIn",
} as const;

/** A remark on a line of a plan. */
export const commentContextValues = { remark: "plan.remark" } as const;

/** What a row of the Subagents view can be; menus show their actions by it. */
export const runContextValues = {
	queued: "run.queued",
	live: "run.live",
	paused: "run.paused",
	parked: "run.parked",
	/** Ended well. */
	finished: "run.finished",
	/** Ended in another way: it can be resumed. */
	cut: "run.cut",
	/** The same where the result did not reach who asked for it. */
	finishedUndelivered: "run.finished.undelivered",
	cutUndelivered: "run.cut.undelivered",
	/** The same as without the last word, of a window that does not answer. */
	queuedUnanswered: "run.queued.unanswered",
	liveUnanswered: "run.live.unanswered",
	pausedUnanswered: "run.paused.unanswered",
} as const;
