/** How a run stands with what it may use up. */
export type BudgetVerdict =
	| { readonly kind: "free" }
	/** Said to the model. */
	| { readonly kind: "near"; readonly text: string }
	/** It is asked for its report, without tools. In a sentence. */
	| { readonly kind: "used"; readonly reason: string }
	/** It is asked nothing more. In a sentence. */
	| { readonly kind: "over"; readonly reason: string };
