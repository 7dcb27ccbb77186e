/** What the demo model understands of a task. */
export interface DemoTask {
	readonly text: string;
	/** Paths and file names in it, as written. */
	readonly paths: readonly string[];
	/** Words worth searching for, the most telling first. */
	readonly words: readonly string[];
	/** Whether it asks for a change rather than for an answer. */
	readonly wantsChange: boolean;
}

const ordinaryWords: ReadonlySet<string> = new Set(
	`about above after again against also another answer anything around because been before being below between both
	called check code could describe does doing done down each every everything example explain file files find first
	folder from give have help here into just know large last like list little look looking made make many maybe more most
	much must need never next only other over overview part please point project read readme report repository same several should
	show small some something sources such summarise summarize summary sure take tell than that their them then there these
	they thing things this those through under until used uses using very want well were what when where whether which
	while will with within without word work works workspace would write your analyse analyze review search understand
	change comment comments create edit update rename refactor implement remove delete replace modify add fix line lines text short briefly`.split(
		/\s+/u,
	),
);

const changeVerb =
	"write|create|add|fix|edit|rename|refactor|change|update|implement|remove|delete|replace|convert|insert|append|modify|move|generate";
/** The verb opens a sentence, or follows a word after which one is told what to do; "how to add" and "don't edit" ask for nothing. */
const asksForChange = new RegExp(
	`(?:^|[.!?:;,\\n]\\s*|\\b(?:please|and|then|also|(?:can|could|would)\\s+you)\\s+)(?:${changeVerb})\\b`,
	"iu",
);
/** Words to be said in the answer itself. */
const asksForText =
	/\b(?:write|create|generate)\s+(?:me\s+)?(?:(?:an?|the|your|up)\s+)?(?:[\w-]+\s+){0,2}?(?:summary|report|overview|answer|explanation|review|description|list|plan)\b/iu;

/** Nobody names more than this at the beginning; the rest of a long task is material. */
const readLength = 20_000;

/** Reads a task. With `Context:` and `Task:` blocks the task is what follows `Task:`; the context may name files too. */
export function readTask(message: string): DemoTask {
	const [, context = "", text = message.slice(0, readLength)] =
		/^Context:\n(.*?)\n\nTask:\n(.*)$/su.exec(message.slice(0, readLength)) ?? [];
	const paths = [...new Set([...findPaths(text), ...findPaths(context)])];
	const wantsChange = asksForChange.test(text) && (paths.length > 0 || !asksForText.test(text));
	return { text: text.trim(), paths, words: findWords(text, paths), wantsChange };
}

/** Names with an ending, such as `src/cart.js`; nothing that leaves the folder, and no address. */
function findPaths(text: string): string[] {
	const tokens = (text.match(/[\w@./:-]+/gu) ?? []).map((token) => token.replace(/[.:]+$/u, ""));
	return tokens.filter(
		(token) =>
			/^(?:\.?[\w@-][\w@.-]*\/)*\.?[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}$/u.test(token) && !/^(?:e\.g|i\.e)$/iu.test(token),
	);
}

function findWords(text: string, paths: readonly string[]): string[] {
	const rest = paths.reduce((remaining, path) => remaining.replaceAll(path, " "), text);
	const quoted = [...rest.matchAll(/[`"“«]([^`"”»\n]{2,60})[`"”»]/gu)].map(([, word = ""]) =>
		word.replace(/\(\)$/u, ""),
	);
	const names = [...rest.matchAll(/\b[A-Za-z_$][\w$]*\b/gu)].map(([name]) => name).filter(looksLikeName);
	const plain = [...rest.matchAll(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{4,}/gu)]
		.map(([word]) => word.toLowerCase())
		.filter((word) => !ordinaryWords.has(word))
		.map((word) => word.replace(/([^s])s$/u, "$1"))
		.toSorted((one, other) => other.length - one.length);
	return [...new Set([...quoted, ...names, ...plain])];
}

/** `lineTotal`, `line_total` and `TODO`; not `Total`, which begins a sentence. */
function looksLikeName(word: string): boolean {
	return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z][A-Z0-9]{2,}$/u.test(word) && !ordinaryWords.has(word.toLowerCase());
}
