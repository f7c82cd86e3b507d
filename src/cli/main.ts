/** The command line. Only the file of the command that is asked for is loaded; `--help` loads all, for their texts. */
import { Command, CommanderError } from "commander";
import { CliError, EXIT, type ExitCode } from "#cli/exit.ts";
import { say } from "#cli/output.ts";
import { version } from "#version.ts";

interface CommandFile {
  readonly names: readonly string[];
  readonly load: () => Promise<(program: Command) => void>;
}

/** In the order of `--help`. */
// biome-ignore format: the columns are the point
const FILES: readonly CommandFile[] = [
  { names: ["demo"],             load: async () => (await import("#cli/demo.ts")).demoCommand },
  { names: ["check"],            load: async () => (await import("#cli/check.ts")).checkCommand },
  { names: ["pay"],              load: async () => (await import("#cli/pay.ts")).payCommand },
  { names: ["serve", "worker"],  load: async () => (await import("#cli/serve.ts")).serveCommands },
  { names: ["batch"],            load: async () => (await import("#cli/batch.ts")).batchCommand },
  { names: ["template"],         load: async () => (await import("#cli/template.ts")).templateCommand },
  { names: ["lane"],             load: async () => (await import("#cli/lane.ts")).laneCommand },
  { names: ["payout", "status"], load: async () => (await import("#cli/payout.ts")).payoutCommands },
  { names: ["simulator"],        load: async () => (await import("#cli/simulator.ts")).simulatorCommand },
  { names: ["export"],           load: async () => (await import("#cli/export.ts")).exportCommand },
  { names: ["migrate", "audit"], load: async () => (await import("#cli/admin.ts")).adminCommands },
  { names: ["user"],             load: async () => (await import("#cli/user.ts")).userCommands },
  { names: ["freeze", "unfreeze"], load: async () => (await import("#cli/freeze.ts")).freezeCommands },
  { names: ["doctor"],           load: async () => (await import("#cli/doctor.ts")).doctorCommand },
];

const program = new Command("payrun")
  .description(
    "Pays files: checks a CSV batch of payouts, has it approved, sends each payout once, and follows its money.",
  )
  .version(version)
  .option("--debug", "show where an unexpected error came from")
  .showHelpAfterError("(payrun --help lists the commands)")
  .showSuggestionAfterError()
  .exitOverride();

for (const { load } of filesFor(process.argv.slice(2))) (await load())(program);
for (const command of program.commands) {
  command.exitOverride();
  for (const child of command.commands) child.exitOverride();
}

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

function filesFor(words: readonly string[]): readonly CommandFile[] {
  if (words[0] === "--version" || words[0] === "-V") return [];
  const name = words.find((word) => !word.startsWith("-")) ?? "";
  const asked = FILES.filter(({ names }) => names.includes(name));
  // Help, or a word that may be a slip of a command's name.
  return asked.length > 0 ? asked : FILES;
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
