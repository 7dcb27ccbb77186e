import type { Spent } from "../runs/budget.ts";
import type { StandingAnswerRecord } from "../runs/approval.ts";
import { dayOf } from "./ledger.ts";
import { storeProblem } from "./sqliteErrors.ts";
import { type AlwaysAnswers, UserStore } from "./userStore.ts";
import type { Answer } from "./workerProtocol.ts";

/** What can be asked of what spans workspaces, and what comes back. */
export interface UserCalls {
	/** What this store has spent on the day of `at`; answered with what all stores have. */
	readonly shareDay: { readonly input: { readonly at: number; readonly spent: Spent }; readonly output: Spent };
	readonly keepAlways: { readonly input: Omit<AlwaysAnswers, "store">; readonly output: void };
	readonly listAlways: { readonly input: null; readonly output: readonly StandingAnswerRecord[] };
	readonly revokeAlways: { readonly input: { readonly id: string; readonly at: number }; readonly output: boolean };
}

type UserCall = { readonly [Name in keyof UserCalls]: { readonly name: Name } & UserCalls[Name] }[keyof UserCalls];

/** This store's part in `user.db`, which it opens when it is first needed. */
export class UserDesk {
	readonly #folder: string;
	readonly #userFolder: string;
	#store: UserStore | undefined;

	/** `folder` is this store's, and names it. */
	constructor(folder: string, userFolder: string) {
		this.#folder = folder;
		this.#userFolder = userFolder;
	}

	answer(id: number, name: string, input: unknown): Answer {
		try {
			this.#store ??= new UserStore(this.#userFolder);
			return { id, ok: true, value: this.#call({ name, input } as UserCall, this.#store) };
		} catch (error) {
			return { id, ok: false, problem: storeProblem(this.#userFolder, error) };
		}
	}

	close(): void {
		this.#store?.close();
	}

	#call(call: UserCall, user: UserStore): unknown {
		const store = this.#folder;
		switch (call.name) {
			case "shareDay":
				return user.noteDay({ day: dayOf(call.input.at), store, spent: call.input.spent });
			case "keepAlways":
				return user.keepAlways({ ...call.input, store });
			case "listAlways":
				return user.listAlways();
			case "revokeAlways":
				return user.revokeAlways(call.input);
		}
	}
}
