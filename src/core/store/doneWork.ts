import type { DoneWork } from "../plans/renderWork.ts";
import type { Sql } from "./sql.ts";

/** What was changed and run in the session of a plan from when it was carried out, in order. */
export function listWorkOfPlan(sql: Sql, input: { readonly planId: string }): DoneWork[] {
	const rows = sql.all<Omit<DoneWork, "isKnown"> & { readonly isKnown: number }>(
		`SELECT effect.kind, effect.subject, effect.because, effect.kind = 'run' OR change.outcome IS NOT NULL AS isKnown
		FROM plan
		JOIN run AS first ON first.id = plan.carried_out_by
		JOIN run ON run.session_id = plan.session_id AND run.seq >= first.seq
		JOIN effect ON effect.run_id = run.id AND effect.kind IN ('write', 'run')
		LEFT JOIN change ON change.run_id = effect.run_id AND change.call_id = effect.call_id
		WHERE plan.id = :planId AND (effect.kind = 'run' OR change.run_id IS NOT NULL)
			AND change.outcome IS NOT 'notWritten' ORDER BY effect.seq`,
		{ planId: input.planId },
	);
	return rows.map((row) => ({ ...row, isKnown: row.isKnown === 1 }));
}
