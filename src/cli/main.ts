/** The command line. Only the file of the command that is asked for is loaded; `--help` loads all, for their texts. */
import { CommanderError } from "commander";
import { CliError, EXIT, type ExitCode } from "#cli/exit.ts";
import { say } from "#cli/output.ts";
import { programFor } from "#cli/program.ts";

const program = await programFor(process.argv.slice(2));

/** A closed pipe (`| head`) is no failure of ours; what the command has found out so far is its ending. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  say(`The output is not complete, it cannot be written: ${error.message}`);
  process.exit(EXIT.unexpected);
});
/** Nobody reads what is said: that is no reason to stop paying. */
process.stderr.on("error", () => {});

/** Why a server cannot listen where it is told to, and what to do. */
const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there; choose another port with --port or PORT",
  EADDRNOTAVAIL: "this machine has no such address; see HOST",
  EACCES: "this user may not listen there; choose a port from 1024 with --port or PORT",
};

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await endingOf(error);
}

/** Says what went wrong, once, and what it means for the exit code. */
async function endingOf(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CliError) {
    say(error.message);
    return error.exitCode;
  }
  if (!(error instanceof Error)) throw error;
  const { ConfigError } = await import("#config.ts");
  if (error instanceof ConfigError) {
    say(error.message);
    return EXIT.usage;
  }
  const code = "code" in error ? String(error.code) : "";
  if ("syscall" in error && error.syscall === "listen" && "address" in error && "port" in error) {
    const place = `${String(error.address)}, port ${String(error.port)}`;
    say(`Cannot listen at ${place}: ${LISTEN[code] ?? error.message}.`);
    return EXIT.usage;
  }
  if (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|3D000|28P01|28000|57P03)$/.test(code)
  ) {
    say(
      `The database cannot be reached: ${error.message || code}. Check DATABASE_URL (payrun doctor).`,
    );
    return EXIT.unreachable;
  }
  say(program.opts()["debug"] ? (error.stack ?? error.message) : error.message);
  return EXIT.unexpected;
}
