/**
 * The command line. Only the file of the requested command is loaded; `--help` loads all files
 * for their texts.
 */
import { EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import { run } from "#cli/app/run.ts";

/**
 * A closed pipe (`| head`) is not a failure. The command exits with the code that it has set so
 * far.
 */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  say(`The output is incomplete because it could not be written: ${error.message}`);
  process.exit(EXIT.unexpected);
});
/** If nobody reads the messages, that is no reason to stop paying. */
process.stderr.on("error", () => {});

// Warnings about the code of libraries are not for users; --debug shows them.
process.noDeprecation = !process.argv.includes("--debug");

await run(process.argv.slice(2));
// A connection whose peer does not answer its closing would keep the process running although
// nothing is left to do.
// oxlint-disable-next-line no-restricted-globals -- unlike Clock.sleep it must not hold the process
setTimeout(() => process.exit(), 3_000).unref();
