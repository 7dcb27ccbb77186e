/** The person's own browser, where there is one. Only what a person has started may use it. */
export interface SignInBrowser {
	/** By what address that browser reaches this one of our machine. */
	externalAddress(local: URL): Promise<URL>;
	/** False when the person does not want to go there. */
	open(page: URL): Promise<boolean>;
}
