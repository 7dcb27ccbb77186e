import { parseArgs } from "node:util";
import { messageOf } from "../core/base/errors.ts";
import { findPlace, type Place } from "./findStore.ts";
import { UsageError } from "./usage.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** What every verb takes. */
const sharedOptions = { repo: text, home: text, data: text, store: text, json: flag } as const;

type Options = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean }>>;
type Value<Option> = Option extends { readonly multiple: true }
	? readonly string[]
	: Option extends { readonly type: "boolean" }
		? boolean
		: string;

export interface Call<Own extends Options> {
	readonly place: Place;
	readonly isJson: boolean;
	readonly values: { readonly [Name in keyof Own]?: Value<Own[Name]> };
	/** What stands beside the options. */
	readonly words: readonly string[];
}

export interface Grammar<Own extends Options> {
	readonly options: Own;
	/** The names of the words that must be there, in their order. */
	readonly words?: readonly string[];
	/** How many more there may be. */
	readonly moreWords?: number;
}

/** Reads a verb's arguments: the options that all take, its own, and its words. */
export function readCall<const Own extends Options>(args: readonly string[], grammar: Grammar<Own>): Call<Own> {
	const { values, positionals } = parse(args, grammar.options);
	const { words: names = [], moreWords = 0 } = grammar;
	const missing = names.slice(positionals.length);
	if (missing.length > 0) throw new UsageError(`${missing.map((name) => `<${name}>`).join(" and ")} is missing.`);
	const most = names.length + moreWords;
	if (positionals.length > most) throw new UsageError(`“${positionals[most]}” is one word too many.`);
	return {
		place: findPlace(values),
		isJson: values.json === true,
		values: values as Call<Own>["values"],
		words: positionals,
	};
}

function parse(args: readonly string[], own: Options) {
	try {
		return parseArgs({ args: [...args], allowPositionals: true, options: { ...own, ...sharedOptions } });
	} catch (error) {
		throw new UsageError(messageOf(error), { cause: error });
	}
}
