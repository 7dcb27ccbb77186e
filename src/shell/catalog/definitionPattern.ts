/**
 * The folders whose changes can change a definition: ours and those of the other agents whose files we read. Folders are in it,
 * because one that is made with everything in it is told of alone.
 */
export const definitionPattern = "{.agents,.goclaw,.claude,.github,.opencode,.cursor,.codex,.cline,.netclaw}{,/**}";
