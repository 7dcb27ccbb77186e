import { acceptRun } from "./acceptRun.ts";
import { continueRun, endRun, waitRun } from "./advanceRun.ts";
import {
	decideUndelivered,
	deliverAnnouncements,
	getReceiver,
	listPending,
	listReceivers,
	listUndelivered,
	settleAnswered,
} from "./announcements.ts";
import {
	answerApproval,
	findApprovals,
	getApproval,
	listAllStandingAnswers,
	listApprovalsOfRun,
	listStandingAnswers,
	listWaitingApprovals,
	openApproval,
	revokeAnswer,
} from "./approvals.ts";
import { claimRuns } from "./claimRuns.ts";
import { beginEffect, listOpenChanges, planChange, settleChange } from "./effects.ts";
import { hasConsent, putConsent, revokeConsent } from "./consents.ts";
import { readEvents, recordEvents } from "./events.ts";
import { endHost, listHosts, loseHost, registerHost, unparkRuns } from "./hosts.ts";
import { pauseLane, pauseProvider, readQueueFacts, setLaneCap, setRoleCaps } from "./lanes.ts";
import { addMessage, takeMessages } from "./messages.ts";
import {
	decidePlan,
	findPlans,
	getAwaitingPlan,
	getPlan,
	getPlanOfRun,
	listAwaitingPlans,
	listPlanComments,
	listPlanRevisions,
	listPlansFor,
	putPlanComment,
	removePlanComment,
	savePlan,
} from "./plans.ts";
import { listStopRequests, moveRun, pauseIfAsked, requestPause, requestStop } from "./requests.ts";
import { archiveRuns, removeRun, restoreRun } from "./retention.ts";
import {
	findRuns,
	getRun,
	listChildren,
	listLiveChildren,
	listRuns,
	listRunsOfSession,
	readRunList,
} from "./runRows.ts";
import { findSession } from "./sessions.ts";
import type { Sql } from "./sql.ts";
import { appendToLiveRun, readEntries, readLastEntries, searchEntries, withdrawTurn } from "./transcripts.ts";
import { verifyStore } from "./verifyStore.ts";

/** What only looks. A batch of these takes no write lock. */
const reads = {
	listHosts,
	readQueueFacts,
	getRun,
	listRuns,
	readRunList,
	findRuns,
	listChildren,
	listLiveChildren,
	listRunsOfSession,
	listStopRequests,
	readEntries,
	readLastEntries,
	searchEntries,
	readEvents,
	findSession,
	getReceiver,
	listReceivers,
	listPending,
	listUndelivered,
	getApproval,
	findApprovals,
	listWaitingApprovals,
	listApprovalsOfRun,
	listStandingAnswers,
	listAllStandingAnswers,
	listOpenChanges,
	getPlan,
	getPlanOfRun,
	getAwaitingPlan,
	findPlans,
	listAwaitingPlans,
	listPlansFor,
	listPlanRevisions,
	listPlanComments,
	hasConsent,
	verifyStore,
} as const;

/** Everything that can be asked of the store. Each is atomic: all of it is committed before its answer is given. */
export const operations = {
	...reads,
	registerHost,
	endHost,
	loseHost,
	unparkRuns,
	setLaneCap,
	setRoleCaps,
	pauseLane,
	pauseProvider,
	acceptRun,
	claimRuns,
	endRun,
	waitRun,
	continueRun,
	requestStop,
	requestPause,
	pauseIfAsked,
	moveRun,
	addMessage,
	takeMessages,
	appendToLiveRun,
	withdrawTurn,
	recordEvents,
	deliverAnnouncements,
	settleAnswered,
	decideUndelivered,
	archiveRuns,
	removeRun,
	restoreRun,
	openApproval,
	answerApproval,
	revokeAnswer,
	beginEffect,
	planChange,
	settleChange,
	savePlan,
	decidePlan,
	putPlanComment,
	removePlanComment,
	putConsent,
	revokeConsent,
} as const;

export type OperationName = keyof typeof operations;
type Operation<Name extends OperationName> = (typeof operations)[Name];
export type OperationInput<Name extends OperationName> =
	Parameters<Operation<Name>> extends [Sql, infer Input] ? Input : undefined;
export type OperationOutput<Name extends OperationName> = ReturnType<Operation<Name>>;

export function isRead(name: string): boolean {
	return Object.hasOwn(reads, name);
}
