/** The command line. Only the file of the command that is asked for is loaded; `--help` loads all, for their texts. */
import { EXIT } from "#cli/exit.ts";
import { say } from "#cli/output.ts";
import { run } from "#cli/run.ts";

/** A closed pipe (`| head`) is no failure of ours; what the command has found out so far is its ending. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  say(`The output is not complete, it cannot be written: ${error.message}`);
  process.exit(EXIT.unexpected);
});
/** Nobody reads what is said: that is no reason to stop paying. */
process.stderr.on("error", () => {});

await run(process.argv.slice(2));
// A connection to somebody who does not answer to a goodbye would hold a process that has nothing else to do.
// oxlint-disable-next-line no-restricted-globals -- unlike Clock.sleep it must not hold the process
setTimeout(() => process.exit(), 3_000).unref();
