import { commandsWithin } from "./commandsWithin.ts";
import { findDanger } from "./dangerTable.ts";
import { allow, ask, deny, nameRule, noRule, wideScopes } from "./decision.ts";
import { findUnsafeWord, type Places } from "./findUnsafeWord.ts";
import { isRuleFor, matchCommand, ruleForWords, type Rule, type RuleLists } from "./rule.ts";
import { judgeShellCommand, maxCommandBytes } from "./shellCommand.ts";
import type { Decision, SideEffect } from "./sideEffect.ts";

/** Why a command passes that is to the byte one of an approved plan's. */
export const listedByPlan = "the approved plan lists it";

/** Decides about a command line. It passes only if it is plain and each of its commands is allowed. */
export async function judgeRun(
	effect: Extract<SideEffect, { kind: "run" }>,
	tool: string,
	places: Places,
	rules: RuleLists,
	planned: ReadonlySet<string> = new Set(),
): Promise<Decision> {
	const { command } = effect;
	if (command.includes("\0") || Buffer.byteLength(command) > maxCommandBytes) {
		return deny("The command is too long or holds a NUL byte. Write a script file, or use several shorter commands.");
	}
	const judged = judgeShellCommand(command);
	const found = (judged.isPlain ? judged.commands : judged.anyCommands).flatMap((argv) => commandsWithin(argv));
	const isFor = (rule: Rule) => isRuleFor(rule, tool, "run");
	const matchesAny = (rule: Rule) =>
		isFor(rule) && (rule.pattern.kind === "any" || found.some((argv) => matchCommand(rule, argv) !== undefined));
	const denied = rules.deny.find(matchesAny);
	if (denied !== undefined) {
		return deny(
			`This command is denied by ${nameRule(denied)}. Do it another way, or say in your report what is to be run.`,
		);
	}
	const asked = rules.ask.find(matchesAny);
	if (asked !== undefined) return ask(effect, { subject: command, why: `Asked for by ${nameRule(asked)}` });
	if (planned.has(command.trim())) return allow(listedByPlan);
	if (!judged.isPlain) return ask(effect, { subject: command, why: `No rule can allow it: the command ${judged.why}` });
	const allowing = new Set<Rule>();
	for (const argv of judged.commands) {
		const passed = await findAllowingRule(argv, rules.allow.filter(isFor), places);
		if (typeof passed === "string") {
			return ask(effect, {
				subject: command,
				why: passed,
				scopes: wideScopes,
				rules: [...new Set(judged.commands.map(ruleForWords))],
			});
		}
		allowing.add(passed);
	}
	return allow([...allowing].map(nameRule).join(", "));
}

/** The rule that lets these words pass, or why none does, for a person. */
async function findAllowingRule(
	argv: readonly string[],
	rules: readonly Rule[],
	places: Places,
): Promise<Rule | string> {
	const sure = rules.find((rule) => {
		const match = matchCommand(rule, argv);
		return match === "exact" || match === "any";
	});
	if (sure !== undefined) return sure;
	let why: string | undefined;
	for (const rule of rules) {
		if (rule.pattern.kind !== "command" || matchCommand(rule, argv) !== "open") continue;
		const literal = rule.pattern.words.length;
		const danger = findDanger(argv, literal) ?? (await findUnsafeWord(argv.slice(literal), places));
		if (danger === undefined) return rule;
		why ??= `Not covered by ${nameRule(rule)}: the command ${danger}`;
	}
	return why ?? `${noRule}: ${argv.slice(0, 2).join(" ")}`;
}
