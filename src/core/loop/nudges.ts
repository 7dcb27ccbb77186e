import type { ToolCall } from "../models/modelPort.ts";

/** Our own words to a model that goes astray or runs out of turns. */
export const nudges = {
	nearTheEnd: "You have two turns left. Finish what is most important now, then write your final report.",
	finalAnswer: (maxTurns: number) =>
		`You have used all of your ${maxTurns} turns. Write your final report now from what you have, without calling a tool. Say what is left undone.`,
	/** `reason` is a sentence about the run. */
	budgetUsed: (reason: string) =>
		`This run has to end. ${reason} Write your final report now from what you have, without calling a tool. Say what is left undone.`,
	emptyAnswer: "Your answer was empty. Write your final report, ending with the SUMMARY: line.",
	repeatedCalls:
		"You have made the same calls three times in a row and got the same results. Do something else, or write your final report.",
	badInput: (call: ToolCall) =>
		`${call.toolName} was not run: its input is not a JSON object (${call.inputError ?? "unreadable"}). Call it again with complete, valid JSON.`,
	tooManyCalls: (call: ToolCall, most: number) =>
		`${call.toolName} was not run: at most ${most} calls are run of one answer. Look at the results of the others first, then call it again if it is still needed.`,
} as const;
