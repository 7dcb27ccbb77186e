import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout that this file belongs to. */
export const projectRoot = path.resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Everything that tests and `npm start` make and may lose: ignored by git. */
export const cacheDir = path.join(projectRoot, ".cache");

/** The package that `npm test` builds and the end-to-end tests install. */
export const vsixFile = path.join(cacheDir, "muster.vsix");
