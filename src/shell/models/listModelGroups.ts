import { messageOf } from "../../core/base/errors.ts";
import { type BuiltinProvider, probeLocalProviders } from "../../core/models/builtinProviders.ts";
import type { ServerProvider } from "../../core/models/serverProvider.ts";
import { listLmModels } from "../adapters/lmProvider.ts";
import type { EditorModels } from "./editorModels.ts";

export interface ModelChoice {
	readonly reference: string;
	readonly label: string;
}

export interface ModelGroup {
	readonly label: string;
	/** The place of the group among the others, whichever comes in first. */
	readonly order: number;
	readonly models: readonly ModelChoice[];
	/** Why there is none. */
	readonly problem?: string;
}

/** A server that does not answer in time is shown as such, and keeps nobody waiting. */
const answerMs = 10_000;

/** Tells each group as soon as it is known; resolves after the last. Never rejects. */
export async function listModelGroups(
	models: Pick<EditorModels, "servers" | "builtin">,
	looking: AbortSignal,
	onGroup: (group: ModelGroup) => void,
): Promise<void> {
	const signal = AbortSignal.any([looking, AbortSignal.timeout(answerMs)]);
	const tell = (group: ModelGroup | undefined) => {
		if (group && (group.models.length > 0 || group.problem !== undefined)) onGroup(group);
	};
	tell({ label: "Demo", order: 1_000, models: [{ reference: "demo/demo", label: "Demo" }] });
	const servers = await models.servers().catch((error: unknown) => messageOf(error));
	if (typeof servers === "string") {
		tell({ label: "The configuration", order: 0, models: [], problem: servers });
		return;
	}
	// A local server of the person's own address is among the servers; the probe looks at the usual one.
	const ids = servers.filter(({ isLocal }) => isLocal).map(({ id }) => id);
	const local = models.builtin.filter(({ id }) => ids.includes(id));
	await Promise.all([
		...servers
			.filter(({ isLocal }) => !isLocal)
			.map(async (server, index) => tell(await listServer(server, index, signal))),
		listLocal(local, signal, tell),
		listEditor().then(tell),
	]);
}

async function listServer(server: ServerProvider, order: number, signal: AbortSignal): Promise<ModelGroup | undefined> {
	const { id, label } = server;
	if ((await server.findObstacle()) !== undefined) return undefined;
	const listed = await server.listModels(signal);
	if (!listed.ok) return { label, order, models: [], problem: listed.error.message };
	return {
		label,
		order,
		models: listed.models.map((model) => ({ reference: `${id}/${model.id}`, label: model.label })),
	};
}

async function listLocal(
	candidates: readonly BuiltinProvider[],
	signal: AbortSignal,
	tell: (group: ModelGroup) => void,
): Promise<void> {
	const found = await probeLocalProviders(signal, candidates);
	for (const [index, { provider, models }] of found.entries()) {
		const { id, label } = provider;
		tell({
			label,
			order: 100 + index,
			models: models.map((model) => ({ reference: `${id}/${model.id}`, label: model.label })),
		});
	}
}

async function listEditor(): Promise<ModelGroup> {
	const group = { label: "VS Code", order: 500 };
	try {
		const models = await listLmModels();
		return {
			...group,
			models: models.map(({ vendor, id, name }) => ({ reference: `vscode/${vendor}/${id}`, label: name })),
		};
	} catch (error) {
		return { ...group, models: [], problem: messageOf(error) };
	}
}
