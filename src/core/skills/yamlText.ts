/** A one-line text as a YAML value: as it is where every parser reads it as that text, else in quotes. */
export function yamlText(text: string): string {
	const isPlain = /^[A-Za-z][\w-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(text);
	return isPlain ? text : JSON.stringify(text);
}
