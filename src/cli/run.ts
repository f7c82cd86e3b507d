import { type Command, CommanderError } from "commander";
import { CliError, EXIT, type ExitCode } from "#cli/exit.ts";
import { say } from "#cli/output.ts";
import { programFor } from "#cli/program.ts";
import { NOT_STARTED } from "#ledger/embedded/not-started.ts";

/** Does what these words ask for, and leaves behind the exit code of the process. */
export async function run(words: readonly string[]): Promise<void> {
  const program = await programFor(words);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = await endingOf(error, program);
  }
}

/** Why a server cannot listen where it is told to, and what to do. */
const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there; choose another port with --port or PORT",
  EADDRNOTAVAIL: "this machine has no such address; see HOST",
  EACCES: "this user may not listen there; choose a port from 1024 with --port or PORT",
};

/** The server is not there, does not let us in, or ends under us (57P01 to 57P03). */
const NO_DATABASE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|3D000|28P01|28000|57P0[123])$/;
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The server is there and cannot do it now, by SQLSTATE; and the embedded one that does not come up. */
const OUT_OF_ORDER: Readonly<Record<string, (words: string) => string>> = {
  "53300": (words) =>
    `The database takes no more connections: ${words}. Raise max_connections, or end what holds them.`,
  "53100": (words) =>
    `The disk of the database is full: ${words}. Nothing is kept until it has room.`,
  "25006": (words) =>
    `The database takes no writes: ${words}. Name the primary in DATABASE_URL, or end default_transaction_read_only; reading works.`,
  [NOT_STARTED]: (words) => words,
};

/** Says what went wrong, once, and what it means for the exit code. */
async function endingOf(error: unknown, program: Command): Promise<ExitCode> {
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
  const outage = OUT_OF_ORDER[code];
  if (outage) {
    say(outage(error.message));
    return EXIT.unreachable;
  }
  if (NO_DATABASE.test(code) || NO_CONNECTION.test(error.message)) {
    say(
      `The database cannot be reached: ${error.message || code}. Check DATABASE_URL (payrun doctor).`,
    );
    return EXIT.unreachable;
  }
  say(program.opts()["debug"] ? (error.stack ?? error.message) : error.message);
  return EXIT.unexpected;
}
