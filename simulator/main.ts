import { parseArgs } from "node:util";
import { OPTIONS } from "./options.ts";
import { runSimulator } from "./run.ts";

/** The simulator as a process of its own, without payrun's command line. */
const { values } = parseArgs({
  options: Object.fromEntries(OPTIONS.map(({ flag }) => [flag, { type: "string" as const }])),
});
await runSimulator(values as Readonly<Record<string, string | undefined>>);
