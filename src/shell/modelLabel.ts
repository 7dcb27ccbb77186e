/** A model as people see it. The demo model always says that it is one. */
export function modelLabel(reference: string): string {
	return reference.startsWith("demo/") ? "Demo" : reference;
}
