import { type Command, CommanderError } from "commander";
import { CliError, EXIT, type ExitCode, exitCodeName } from "#cli/terminal/exit.ts";
import { hasPrinted, nothingPrinted, printJsonLine, say } from "#cli/terminal/output.ts";
import { programFor } from "#cli/app/program.ts";
import { NOT_STARTED } from "#ledger/embedded/not-started.ts";

/** Runs the command of these arguments and sets the exit code of the process. */
export async function run(words: readonly string[]): Promise<void> {
  nothingPrinted();
  const program = await programFor(words);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    const why = await commandResultOf(error, program);
    // commander has already printed its own message.
    if (!(error instanceof CommanderError)) say(why.says);
    process.exitCode = why.exitCode;
    if (why.exitCode !== EXIT.ok && asksForJson(words)) printRefusal(why);
  }
}

interface CommandResult {
  readonly exitCode: ExitCode;
  /** For programs: the code of the server's refusal, or else the name of the exit code. */
  readonly code: string;
  /** For people. */
  readonly says: string;
}

const commandResult = (
  exitCode: ExitCode,
  says: string,
  code = exitCodeName(exitCode),
): CommandResult => ({
  exitCode,
  code,
  says,
});

const asksForJson = (words: readonly string[]): boolean =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : words.length).includes("--json");

/**
 * With --json a refusal is printed as one JSON line. If output has already started, only the exit
 * code reports the failure.
 */
function printRefusal({ exitCode, code, says }: CommandResult): void {
  if (!hasPrinted()) printJsonLine({ error: { code, exit_code: exitCode, message: says } });
}

/** The reason why a server cannot listen on its address, and what to do. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another process is already listening on this port; choose another port with --port or PORT",
  EADDRNOTAVAIL: "this address does not belong to this machine; check HOST",
  EACCES:
    "this user is not allowed to use this port; choose a port number of 1024 or higher with --port or PORT",
};

/** Describes the failure and returns its exit code. */
async function commandResultOf(error: unknown, program: Command): Promise<CommandResult> {
  if (error instanceof CommanderError) {
    return commandResult(error.exitCode === 0 ? EXIT.ok : EXIT.usage, error.message);
  }
  if (error instanceof CliError) return commandResult(error.exitCode, error.message, error.code);
  if (!(error instanceof Error)) throw error;
  const { ConfigError } = await import("#app/config.ts");
  if (error instanceof ConfigError) return commandResult(EXIT.usage, error.message);
  const code = "code" in error ? String(error.code) : "";
  if ("syscall" in error && error.syscall === "listen" && "address" in error && "port" in error) {
    const place = `${String(error.address)}, port ${String(error.port)}`;
    return commandResult(
      EXIT.usage,
      `Cannot listen on ${place}: ${LISTEN_ERRORS[code] ?? error.message}.`,
    );
  }
  if (code === "EMFILE" || code === "ENFILE") {
    const advice = "raise the open-file limit (ulimit -n, LimitNOFILE) to 1024 or more";
    return commandResult(
      EXIT.unreachable,
      `No more files can be opened: ${error.message}; ${advice}.`,
    );
  }
  if (code === NOT_STARTED) return commandResult(EXIT.unreachable, error.message);
  const { OtherVersion } = await import("#ledger/store/migrate.ts");
  if (error instanceof OtherVersion) {
    return commandResult(EXIT.conflict, `${error.message} To fix this, ${error.advice}.`);
  }
  const { outageOf } = await import("#ledger/store/outage.ts");
  const outage = outageOf(error);
  if (outage) {
    const { says, advice } = outage;
    return commandResult(EXIT.unreachable, `${says}: ${error.message || code}; ${advice}.`);
  }
  const isWanted = program.opts()["debug"] === true;
  return commandResult(EXIT.unexpected, (isWanted ? error.stack : undefined) ?? error.message);
}
