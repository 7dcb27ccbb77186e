/** The call itself is off: exit code 2. */
export class UsageError extends Error {}

/** Verbs that the specification names and this version does not have. */
export const unbuiltVerbs: readonly string[] = ["doctor", "mcp", "worker"];

export const usage = `Usage: muster <verb> [options]

  check [--role R]          what loads, from which layer and file, and every problem with its place
  explain [name]            each effective value: its layer, file and line, what it shadows, why it holds

  run <agent> "<task>"      spawns a subagent, shows what it does, and waits for its end
    --context T               facts for this one call
    --model REF               provider/model; else the agent's own
    --role R                  the role whose pack it works with
    --plan                    looks only, and ends with a plan for you to approve
    --count N                 so many of them at once
    --allow RULE              a permission rule for these runs, such as 'shell(npm test)'; may be repeated
    --on-ask inbox|deny       what to do where a person has to be asked; else what the agent's file says
    --over-budget             also when a budget of the session, the agent or the day is used up
    --detach                  leaves it to a background process and prints its id
  send <session> "<text>"   says something to a session; waits for the answer, or --detach
  resume <run> | --all      a run that was cut off goes on, or everything parked; waits, or --detach
  stop <run>                stops a run, wherever it executes
  remove <run>              takes an ended run out of the lists; its record stays

  approve [<id>]            allows what a run asks, or carries a plan out; without an id, lists what waits
    --for run|agent|always    not only this once; always holds in every workspace
  reject <id> ["<reason>"]  denies it, or has a plan made again; without a reason a plan is closed

  list [--state S]          the runs of a workspace, newest first
  show <run> [--events]     what is known of a run, and everything that happened to it
  history <session>         what was said in a session
  verify                    checks every invariant of the store and names what violates one

A run or session may be named by the beginning of its id where that is unique.

Options
  --repo DIR    the workspace; else the nearest ancestor with .agents or .git, else the current folder
  --home DIR    whose .agents is yours; else MUSTER_HOME, else your home folder
  --data DIR    Muster's data folder; else MUSTER_DATA_DIR, else .muster in your home folder
  --store DIR   the folder with muster.db itself
  --json        one JSON object; with run, send and resume one event per line

Exit codes: 0 done, 1 did not succeed, 2 the call is off.
`;
