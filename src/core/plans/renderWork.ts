import { listedByPlan } from "../permissions/judgeRun.ts";
import type { Plan } from "../runs/plan.ts";
import { readPlanScope } from "./planScope.ts";
import { planOrigin, ruleForCommand, ruleForFile } from "./scopeRules.ts";

/** A file that was changed or a command that was begun, and why nobody or who was asked. */
export interface DoneWork {
	readonly kind: "write" | "run";
	/** The file's path, or the command. */
	readonly subject: string;
	readonly because: string;
	/** False for a change that was begun, and nobody knows whether it was written. */
	readonly isKnown: boolean;
}

type Entry = readonly [name: string, rule: string | undefined];

/** What was done, beside what the plan said: each of its entries, and then everything that it had not listed. */
export function renderWork(plan: Plan, work: readonly DoneWork[], nameFile: (file: string) => string): string {
	const { files, commands } = readPlanScope(plan.text);
	const changes = work.filter(({ kind }) => kind === "write");
	const runs = work.filter(({ kind }) => kind === "run");
	const nameOf = ({ kind, subject }: DoneWork) => (kind === "write" ? nameFile(subject) : subject);
	return (
		[
			`# What was done: ${plan.title}`,
			...section("Files", listPlanned(toEntries(files, ruleForFile), changes, "changed", nameOf)),
			...section("Commands", listPlanned(toEntries(commands, ruleForCommand), runs, "run", nameOf)),
			...section("Not in the plan", listOthers(work, nameOf)),
		].join("\n\n") + "\n"
	);
}

function toEntries(names: readonly string[] = [], ruleOf: (name: string) => string | undefined): Entry[] {
	return names.map((name) => [name, ruleOf(name)]);
}

function section(title: string, lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];
}

function listPlanned(
	entries: readonly Entry[],
	work: readonly DoneWork[],
	verb: string,
	nameOf: (work: DoneWork) => string,
): string[] {
	return entries.map(([name, rule]) => {
		const done = work.filter(({ because, subject }) =>
			because === listedByPlan ? subject.trim() === name : rule !== undefined && because === reasonOf(rule),
		);
		if (done.length === 0) return `- [ ] \`${name}\` not ${verb}`;
		const others = [...new Set(done.map(nameOf))].filter((each) => each !== name);
		const which = others.length === 0 ? "" : `: ${others.map((each) => `\`${each}\``).join(", ")}`;
		return `- [x] \`${name}\` ${verb}${done.length === 1 ? "" : ` ${done.length} times`}${which}${describeOutcome(done)}`;
	});
}

function listOthers(work: readonly DoneWork[], nameOf: (work: DoneWork) => string): string[] {
	return work
		.filter(({ because }) => because !== listedByPlan && !because.endsWith(` from ${planOrigin}`))
		.map((each) => {
			const verb = each.kind === "write" ? "changed" : "run";
			return `- \`${nameOf(each)}\` ${verb}${describeOutcome([each])}: ${each.because}`;
		});
}

/** As the gate names a rule that allows. */
function reasonOf(rule: string): string {
	return `rule ${rule} from ${planOrigin}`;
}

function describeOutcome(done: readonly DoneWork[]): string {
	return done.every(({ isKnown }) => isKnown) ? "" : " (nobody knows whether it was written)";
}
