/** What a run hands over besides its report. */
export interface ArtefactRecorder {
	/** Keeps the bytes under a name; rejects when it cannot. */
	attach(artefact: { readonly name: string; readonly bytes: Uint8Array }): Promise<Artefact>;
}

export interface Artefact {
	/** Where people find it. */
	readonly path: string;
	readonly size: number;
}
