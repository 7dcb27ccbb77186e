import * as fc from "fast-check";

/** The same cases on every run, so that a red run is about the change. `SEED=random` or a number looks further. */
const wanted = process.env["SEED"] ?? "1";
fc.configureGlobal(wanted === "random" ? {} : { seed: Number(wanted) });
