import * as vscode from "vscode";
import { commands, type CommandName } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { ReportFailure } from "../errors/reportFailure.ts";

/** One handler per command; a missing one does not compile. Arguments can come from anywhere, so handlers check them. */
export type CommandHandlers = Readonly<Record<CommandName, (...args: readonly unknown[]) => Promise<unknown>>>;

/** Registers every command once. Failures surface here, so no handler needs a try/catch of its own. */
export function registerCommands(handlers: CommandHandlers, reportFailure: ReportFailure): vscode.Disposable {
	const own = new DisposableStore();
	for (const name of Object.keys(commands) as CommandName[]) {
		const { id, title } = commands[name];
		const handle = (...args: unknown[]) =>
			handlers[name](...args).catch((error: unknown) => reportFailure(title, error));
		own.add(vscode.commands.registerCommand(id, handle));
	}
	return own;
}
