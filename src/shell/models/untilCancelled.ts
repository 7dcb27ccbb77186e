import type * as vscode from "vscode";

/** Gives `work` a signal that fires when the person cancels. */
export async function untilCancelled<Value>(
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
	const controller = new AbortController();
	const listener = token.onCancellationRequested(() => controller.abort());
	try {
		return await work(controller.signal);
	} finally {
		listener.dispose();
	}
}
