/** The call itself is off: exit code 2. */
export class UsageError extends Error {}

/** Verbs that the specification names and this version does not have. */
export const unbuiltVerbs: readonly string[] = [
	"run",
	"show",
	"history",
	"stop",
	"send",
	"approve",
	"reject",
	"resume",
	"remove",
	"verify",
	"doctor",
	"mcp",
	"worker",
];

export const usage = `Usage: muster <verb> [options]

  check [--role R]   what loads, from which layer and file, and every problem with its place
  explain [name]     each effective value: its layer, file and line, what it shadows, why it holds
  list [--state S]   the runs of a workspace, newest first

Options
  --repo DIR    the workspace; else the nearest ancestor with .agents or .git, else the current folder
  --home DIR    whose .agents is yours; else MUSTER_HOME, else your home folder
  --data DIR    Muster's data folder; else MUSTER_DATA_DIR, else .muster in your home folder
  --store DIR   the folder with muster.db itself
  --json        one JSON object

Exit codes: 0 done, 1 did not succeed, 2 the call is off.
`;
