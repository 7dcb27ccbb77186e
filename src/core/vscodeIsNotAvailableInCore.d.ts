// `import … from "vscode"` in the core resolves to this module, so every use of it is a type error.
export type VscodeIsNotAvailableInCore = never;
