/**
 * Every id that the extension contributes. A guard test holds package.json to these tables, in both directions.
 */
export const extensionId = "muster.muster";

export const commands = {
	spawn: { id: "muster.spawn", title: "Spawn Subagent…" },
	spawnPlan: { id: "muster.spawnPlan", title: "Spawn Subagent in Plan Mode…" },
	spawnAgent: { id: "muster.spawnAgent", title: "Spawn This Agent" },
	stopRun: { id: "muster.stopRun", title: "Stop Subagent" },
	openTranscript: { id: "muster.openTranscript", title: "Open Transcript" },
	openPanel: { id: "muster.openPanel", title: "Open Ops Panel" },
	resumeParked: { id: "muster.resumeParked", title: "Resume Parked Subagents" },
	setUpWorkspace: { id: "muster.setUpWorkspace", title: "Set Up This Workspace" },
	newAgent: { id: "muster.newAgent", title: "New Agent…" },
	newSkill: { id: "muster.newSkill", title: "New Skill…" },
	enableSkill: { id: "muster.enableSkill", title: "Enable Skill" },
	disableSkill: { id: "muster.disableSkill", title: "Disable Skill" },
	explainConfiguration: { id: "muster.explainConfiguration", title: "Explain Configuration" },
	setApiKey: { id: "muster.setApiKey", title: "Set API Key…" },
	pickModel: { id: "muster.pickModel", title: "Pick Model" },
	openPlan: { id: "muster.openPlan", title: "Open Plan" },
	approvePlan: { id: "muster.approvePlan", title: "Approve Plan" },
	rejectPlan: { id: "muster.rejectPlan", title: "Reject Plan…" },
	closePlan: { id: "muster.closePlan", title: "Close Plan" },
	comparePlan: { id: "muster.comparePlan", title: "Show What Was Edited in a Plan" },
	addPlanComment: { id: "muster.addPlanComment", title: "Add Remark" },
	removePlanComment: { id: "muster.removePlanComment", title: "Remove Remark" },
	reviewApproval: { id: "muster.reviewApproval", title: "Review Approval…" },
	allowOnce: { id: "muster.allowOnce", title: "Allow Once" },
	allowForRun: { id: "muster.allowForRun", title: "Allow for This Run" },
	allowForAgent: { id: "muster.allowForAgent", title: "Allow for This Agent" },
	denyApproval: { id: "muster.denyApproval", title: "Deny…" },
	revokeAnswer: { id: "muster.revokeAnswer", title: "Revoke Answer" },
	restartServer: { id: "muster.restartServer", title: "Restart MCP Server" },
	stopServer: { id: "muster.stopServer", title: "Stop MCP Server" },
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
export const planLanguage = "muster-plan";
export const approvalScheme = "muster-approval";
export const transcriptScheme = "muster-transcript";

/** Rows of the Skills view that can be switched. */
export const skillContextValues = { enabled: "skill.enabled", disabled: "skill.disabled" } as const;

/** A row of the Agents view that can be spawned. */
export const agentContextValue = "agent";

/** Rows of the Approvals view: what can be answered more widely, and what holds. */
export const approvalContextValues = {
	once: "approval.once",
	wide: "approval.wide",
	answer: "approval.answer",
	plan: "approval.plan",
} as const;

/** Rows of the MCP Servers view: what a run has started, and the rest. */
export const serverContextValues = { configured: "server.configured", started: "server.started" } as const;

/** A remark on a line of a plan. */
export const commentContextValues = { remark: "plan.remark" } as const;

/** What a row of the Subagents view can be; menus show their actions by it. */
export const runContextValues = { live: "run.live", parked: "run.parked", ended: "run.ended" } as const;
