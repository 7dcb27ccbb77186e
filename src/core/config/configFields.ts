import * as z from "zod";

/** No timer runs longer than a day; 0 is no timer at all. */
export const longestTimerSeconds = 86_400;

export const text = z.string("must be text").trim().min(1, "must not be empty");
export const flag = z.boolean("must be true or false");
export const count = z.int("must be a whole number").min(1, "must be 1 or more");
export const names = z.array(text, "must be a list of names");
export const seconds = z
	.int("must be a whole number of seconds")
	.min(0, "must be 0 (no limit) or more")
	.overwrite((value) => Math.min(value, longestTimerSeconds));

export const modelReference = text.regex(/^[a-z0-9][\w.-]*\/\S+$/iu, "must be provider/model, such as demo/demo");
export const thinking = oneOf("low", "medium", "high");
export const role = text.regex(/^[a-z0-9_-]+$/u, "must be lower-case letters, digits, _ and -");
export const variableName = text.regex(/^[A-Za-z_]\w*$/u, "must be the name of an environment variable");

export function oneOf<const Values extends readonly string[]>(...values: Values) {
	return z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

export function listOf<Item extends z.core.SomeType>(item: Item, what: string) {
	return z.array(item, `must be a list of ${what}`);
}

export function mapOf<Value extends z.core.SomeType>(value: Value, what = "must be a table") {
	return z.record(z.string(), value, what);
}

/** Every field of these is optional: a layer says only what it says, and defaults come in after the merge. */
export function table<Shape extends z.core.$ZodShape>(shape: Shape) {
	return z.object(shape, "must be a table");
}
