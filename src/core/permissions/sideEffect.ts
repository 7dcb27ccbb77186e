/** What a tool call is about to do, in the words of the permission gate. Paths are as the model gave them. */
export type SideEffect =
	| { readonly kind: "read"; readonly path: string }
	| { readonly kind: "write"; readonly path: string }
	| { readonly kind: "run"; readonly command: string }
	| { readonly kind: "fetch"; readonly url: string };

/** The gate's answer. `reason` is written for the model: what is not allowed, and what to do instead. */
export type Decision =
	/** `path` is the real path that was checked, and the only one the tool may use. */
	{ readonly verdict: "allow"; readonly path: string } | { readonly verdict: "deny"; readonly reason: string };

/** The one door of every side effect. Fails closed: what it cannot judge, it denies. */
export interface PermissionGate {
	decide(effect: SideEffect): Promise<Decision>;
}
