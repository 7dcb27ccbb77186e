/** Says into a file whether it is inside a run, by what the system knows of it alone. */
import { renameSync, writeFileSync } from "node:fs";
import { isInsideRun } from "../../../../src/core/processes/isInsideRun.ts";

const [, , file = "", storeFolder = ""] = process.argv;
writeFileSync(`${file}.part`, JSON.stringify({ isInside: await isInsideRun(process.env, storeFolder) }));
renameSync(`${file}.part`, file);
