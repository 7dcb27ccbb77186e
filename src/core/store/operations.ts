import { acceptRun } from "./acceptRun.ts";
import { continueRun, endRun, waitRun } from "./advanceRun.ts";
import {
	decideUndelivered,
	deliverAnnouncements,
	getReceiver,
	listPending,
	listReceivers,
	settleAnswered,
	takeResults,
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
import { beginBackOff, endBackOff } from "./backOffs.ts";
import { claimRuns } from "./claimRuns.ts";
import { listWorkOfPlan } from "./doneWork.ts";
import { beginEffect, listOpenEffects, planChange, settleChange, tellEffects } from "./effects.ts";
import { hasConsent, putConsent, readLastConsent, revokeConsent } from "./consents.ts";
import { readEvents, recordEvents, recordProgress } from "./events.ts";
import { endHost, isLeftWaiting, listHosts, loseHost, registerHost, unparkRuns } from "./hosts.ts";
import { pauseLane, pauseProvider, readProviderPause, readQueueFacts, setLaneCap, setRoleCaps } from "./lanes.ts";
import { readSpent, spend } from "./ledger.ts";
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
import { readTodos, writeTodos } from "./todos.ts";
import { appendToLiveRun, readEntries, readLastEntries, searchEntries, withdrawTurn } from "./transcripts.ts";
import { verifyStore } from "./verifyStore.ts";

/** What only looks. A batch of these takes no write lock. */
const reads = {
	listHosts,
	isLeftWaiting,
	readQueueFacts,
	readProviderPause,
	readTodos,
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
	getApproval,
	findApprovals,
	listWaitingApprovals,
	listApprovalsOfRun,
	listStandingAnswers,
	listAllStandingAnswers,
	listOpenEffects,
	listWorkOfPlan,
	getPlan,
	getPlanOfRun,
	getAwaitingPlan,
	findPlans,
	listAwaitingPlans,
	listPlansFor,
	listPlanRevisions,
	listPlanComments,
	hasConsent,
	readLastConsent,
	readSpent,
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
	spend,
	endRun,
	waitRun,
	continueRun,
	beginBackOff,
	endBackOff,
	requestStop,
	requestPause,
	pauseIfAsked,
	moveRun,
	addMessage,
	takeMessages,
	appendToLiveRun,
	withdrawTurn,
	recordEvents,
	recordProgress,
	writeTodos,
	deliverAnnouncements,
	takeResults,
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
	tellEffects,
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
