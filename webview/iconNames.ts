/** Every codicon the panel draws. The build puts exactly these into the sprite, so an icon not named here does not exist. */
export const iconNames = [
	"add",
	"bell-dot",
	"circle-slash",
	"clockface",
	"close",
	"debug-disconnect",
	"debug-stop",
	"error",
	"history",
	"info",
	"loading",
	"output",
	"pass",
	"question",
	"search",
	"type-hierarchy-sub",
	"warning",
	"watch",
] as const;

export type IconName = (typeof iconNames)[number];
