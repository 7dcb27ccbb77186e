/** What a run has found out, in a form that programs read; only of runs whose agent is asked for that. */
export const findings = "ALTER TABLE run ADD COLUMN findings TEXT CHECK (findings IS NULL OR json_valid(findings));";
