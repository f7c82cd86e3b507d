/** `npm test`: makes sure of what the tests need, then runs Vitest with the arguments given. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";

import { prepareTests } from "./prepare-tests.ts";

const root = join(import.meta.dirname, "..");

try {
  prepareTests();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}

// Vitest is started with this very Node, and finds it first on its PATH: where npm ran no install
// scripts, the `node` of the PATH may be too old for it.
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(":"),
};
const run = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal));
run.on("exit", (code) => process.exit(code ?? 1));
