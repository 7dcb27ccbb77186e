/** The documents that a person has open. Paths are real ones. */
export interface EditorPort {
	/** The text of an open document with unsaved changes, with its own line ends. */
	dirtyText(path: string): string | undefined;
	/** Replaces the text of an open document and leaves it unsaved; whether that worked. */
	applyEdit(path: string, newText: string): Promise<boolean>;
}

/** Where there is no editor, as on the command line. */
export const noEditor: EditorPort = {
	dirtyText: () => undefined,
	applyEdit: async () => false,
};
