import { claudeDialect } from "./claudeDialect.ts";
import { clineDialect } from "./clineDialect.ts";
import { codexDialect } from "./codexDialect.ts";
import { cursorDialect } from "./cursorDialect.ts";
import { nativeDialect } from "./nativeDialect.ts";
import { netclawDialect } from "./netclawDialect.ts";
import { opencodeDialect } from "./opencodeDialect.ts";
import { vscodeDialect } from "./vscodeDialect.ts";
import type { AgentDialect } from "./agentDialect.ts";

/** Every format that is read. Of two agents of one name in a layer, the one whose dialect comes first is used. */
export const agentDialects: readonly AgentDialect[] = [
	nativeDialect,
	claudeDialect,
	vscodeDialect,
	opencodeDialect,
	cursorDialect,
	codexDialect,
	clineDialect,
	netclawDialect,
];
