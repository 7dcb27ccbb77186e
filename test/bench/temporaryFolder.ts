import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** On the disk that `TMPDIR` names: figures of durable writes are figures of that disk. */
export async function withTemporaryFolder<Value>(use: (folder: string) => Value | Promise<Value>): Promise<Value> {
	const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "muster-bench-")));
	try {
		return await use(folder);
	} finally {
		fs.rmSync(folder, { recursive: true, force: true });
	}
}
