import { type Command, CommanderError } from "commander";
import { CliError, EXIT, type ExitCode, nameOf } from "#cli/exit.ts";
import { hasPrinted, nothingPrinted, printJsonLine, say } from "#cli/output.ts";
import { programFor } from "#cli/program.ts";
import { NOT_STARTED } from "#ledger/embedded/not-started.ts";

/** Does what these words ask for, and leaves behind the exit code of the process. */
export async function run(words: readonly string[]): Promise<void> {
  nothingPrinted();
  const program = await programFor(words);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    const why = await endingOf(error, program);
    // commander has said its own.
    if (!(error instanceof CommanderError)) say(why.says);
    process.exitCode = why.exitCode;
    if (why.exitCode !== EXIT.ok && asksForJson(words)) printRefusal(why);
  }
}

interface Ending {
  readonly exitCode: ExitCode;
  /** For programs: the server's own word where it refused, else the name of the exit code. */
  readonly code: string;
  /** For people. */
  readonly says: string;
}

const ending = (exitCode: ExitCode, says: string, code = nameOf(exitCode)): Ending => ({
  exitCode,
  code,
  says,
});

const asksForJson = (words: readonly string[]): boolean =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : words.length).includes("--json");

/** Whoever reads JSON is told of a refusal in one, on one line; of what broke off in the middle of an answer only by the exit code. */
function printRefusal({ exitCode, code, says }: Ending): void {
  if (!hasPrinted()) printJsonLine({ error: { code, exit_code: exitCode, message: says } });
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

/** What went wrong, and what it means for the exit code. */
async function endingOf(error: unknown, program: Command): Promise<Ending> {
  if (error instanceof CommanderError) {
    return ending(error.exitCode === 0 ? EXIT.ok : EXIT.usage, error.message);
  }
  if (error instanceof CliError) return ending(error.exitCode, error.message, error.code);
  if (!(error instanceof Error)) throw error;
  const { ConfigError } = await import("#config.ts");
  if (error instanceof ConfigError) return ending(EXIT.usage, error.message);
  const code = "code" in error ? String(error.code) : "";
  if ("syscall" in error && error.syscall === "listen" && "address" in error && "port" in error) {
    const place = `${String(error.address)}, port ${String(error.port)}`;
    return ending(EXIT.usage, `Cannot listen at ${place}: ${LISTEN[code] ?? error.message}.`);
  }
  const outage = OUT_OF_ORDER[code];
  if (outage) return ending(EXIT.unreachable, outage(error.message));
  if (NO_DATABASE.test(code) || NO_CONNECTION.test(error.message)) {
    return ending(
      EXIT.unreachable,
      `The database cannot be reached: ${error.message || code}. Check DATABASE_URL (payrun doctor).`,
    );
  }
  const isWanted = program.opts()["debug"] === true;
  return ending(EXIT.unexpected, (isWanted ? error.stack : undefined) ?? error.message);
}
