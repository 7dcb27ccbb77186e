/** A process that holds a host's lock and tells when it does; made to be ended. */
import { holdHostLock } from "../../../../src/core/store/hostLock.ts";

const [, , folder = "", hostId = ""] = process.argv;
holdHostLock(folder, { hostId, pid: process.pid, kind: "cli" });
process.send?.("held");
// Lives until somebody ends it.
process.on("message", () => undefined);
