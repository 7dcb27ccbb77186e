import { showOnOneLine } from "../base/showExactly.ts";

/** What a person has agreed to before, for a server of the same name. */
export interface EarlierConsent {
	readonly hash: string;
	/** The command or address that was shown. */
	readonly subject: string;
	readonly revokedAt: number | null;
}

const maxSubject = 300;

/** Why a person is asked about a server that they have allowed before. For people, on one line. */
export function explainAskedAgain(
	earlier: EarlierConsent,
	now: { readonly hash: string; readonly subject: string },
): string {
	if (earlier.hash === now.hash) return "It is asked again because the consent was taken back.";
	if (earlier.subject !== now.subject) {
		return `It is asked again because the command has changed. Allowed before: ${showOnOneLine(earlier.subject, maxSubject)}`;
	}
	return "It is asked again because what stands beside the command has changed: its environment, its folder, its tools, or which program is found.";
}
