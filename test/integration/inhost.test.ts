import { fileURLToPath } from "node:url";
import { describeInHost } from "./harness/describeInHost.ts";

await describeInHost(fileURLToPath(new URL("inhost", import.meta.url)));
