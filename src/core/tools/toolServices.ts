import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArtefactRecorder } from "../ports/artefacts.ts";
import { type ChangeRecorder, unrecordedChanges } from "../ports/changeRecorder.ts";
import type { Clock } from "../ports/clock.ts";
import { type EditorPort, noEditor } from "../ports/editor.ts";
import type { FileAccess } from "../ports/fileAccess.ts";
import type { WebAccess } from "../ports/webAccess.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import { directWeb } from "../web/directWeb.ts";
import { ShellSessions } from "./builtin/shellSessions.ts";
import type { TodoItem } from "../runs/todoItem.ts";
import { TodoList } from "./builtin/todo.ts";
import { folderArtefacts } from "./folderArtefacts.ts";
import { plainFileAccess } from "./plainFileAccess.ts";

/** By what the tools of one run reach the world, and what they remember from call to call. */
export interface ToolServices {
	readonly runId: string;
	readonly clock: Clock;
	readonly files: FileAccess;
	readonly editor: EditorPort;
	readonly changes: ChangeRecorder;
	readonly artefacts: ArtefactRecorder;
	/** By what pages are reached. */
	readonly web: WebAccess;
	/** The host's. What the run has started there is ended by `processes.killAll(runId)`, when the run ends. */
	readonly processes: ProcessGroups;
	/** The whole environment of a command; `childEnvironment` makes it. */
	readonly env: Readonly<Record<string, string>>;
	readonly shells: ShellSessions;
	readonly todos: TodoList;
	/** By real path: the stamp of each file when this run last read or wrote it. */
	readonly seenFiles: Map<string, string>;
	/** Whether a tool that looks at many files leaves this one out, because reading it alone would be denied or asked. */
	readonly leavesOut: (realPath: string, tool: string) => boolean;
}

export interface ToolServicesOptions {
	readonly runId: string;
	readonly clock: Clock;
	readonly processes: ProcessGroups;
	readonly env: Readonly<Record<string, string>>;
	readonly files?: FileAccess;
	readonly editor?: EditorPort;
	readonly changes?: ChangeRecorder;
	readonly artefacts?: ArtefactRecorder;
	readonly web?: WebAccess;
	readonly leavesOut?: (realPath: string, tool: string) => boolean;
	/** Keeps the list of steps beyond the run. Default: nobody does. */
	readonly saveTodos?: (items: readonly TodoItem[]) => Promise<void>;
}

/** Once for each run. */
export function createToolServices(options: ToolServicesOptions): ToolServices {
	const { runId, saveTodos } = options;
	return {
		files: plainFileAccess,
		editor: noEditor,
		changes: unrecordedChanges,
		leavesOut: () => false,
		web: directWeb,
		artefacts: folderArtefacts(join(tmpdir(), "muster-artefacts", runId)),
		...options,
		shells: new ShellSessions(),
		todos: new TodoList(saveTodos),
		seenFiles: new Map(),
	};
}
