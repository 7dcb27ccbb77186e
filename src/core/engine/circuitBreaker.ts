const mostFailures = 10;
const windowMs = 60_000;
const openMs = 60_000;
/** One that tries may take its time to answer; it must not hold up all others if it never does. */
const betweenTrialsMs = 5_000;

interface Circuit {
	/** When it failed of late. */
	failures: readonly number[];
	/** When the next request may try it; null while everybody may ask. */
	trialAt: number | null;
	reason: string;
}

/**
 * What this process has seen of its providers. One that fails ten times within a minute is left alone for a minute; then
 * one request after the other tries it, until one is answered.
 */
export class CircuitBreaker {
	readonly #circuits = new Map<string, Circuit>();

	/** For how long nobody should ask it; null while it may have been a single failure. */
	failed(provider: string, reason: string, at: number): number | null {
		const { failures, trialAt } = this.#circuits.get(provider) ?? { failures: [], trialAt: null };
		const recent = [...failures.filter((each) => each > at - windowMs), at].slice(-mostFailures);
		const isOpen = trialAt !== null || recent.length === mostFailures;
		this.#circuits.set(provider, { failures: recent, trialAt: isOpen ? at + openMs : null, reason });
		return isOpen ? openMs : null;
	}

	answered(provider: string): void {
		this.#circuits.delete(provider);
	}

	/** Until when a request has to wait; null when it may go. One that may go to a provider that has failed tries it for all. */
	enter(provider: string, at: number): { readonly until: number; readonly reason: string } | null {
		const circuit = this.#circuits.get(provider);
		if (circuit === undefined || circuit.trialAt === null) return null;
		if (at < circuit.trialAt) return { until: circuit.trialAt, reason: circuit.reason };
		circuit.trialAt = at + betweenTrialsMs;
		return null;
	}
}
