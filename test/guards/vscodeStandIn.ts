/** Stands in for `vscode` where only the registering of commands is looked at: calls each handler at once with its id. */
export const commands = {
	registerCommand(id: string, handle: (id: string) => unknown) {
		handle(id);
		return { dispose: () => undefined };
	},
};
