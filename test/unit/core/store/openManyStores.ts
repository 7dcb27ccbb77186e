/** Opens each database that it is told of, and answers how it went. */
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";

process.on("message", (folder: string) => {
	try {
		openDatabase(folder).sql.close();
		process.send?.("opened");
	} catch (error) {
		process.send?.(String(error));
	}
});
process.send?.("ready");
