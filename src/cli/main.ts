/** The command line. Each command loads what it needs only when it is asked for, so that `--help` is instant. */
import { Command, CommanderError } from "commander";
import { adminCommands } from "#cli/admin.ts";
import { batchCommand } from "#cli/batch.ts";
import { checkCommand } from "#cli/check.ts";
import { demoCommand } from "#cli/demo.ts";
import { doctorCommand } from "#cli/doctor.ts";
import { CliError, EXIT, type ExitCode } from "#cli/exit.ts";
import { say } from "#cli/output.ts";
import { payCommand } from "#cli/pay.ts";
import { payoutCommands } from "#cli/payout.ts";
import { serveCommands } from "#cli/serve.ts";
import { simulatorCommand } from "#cli/simulator.ts";
import { version } from "#version.ts";

const program = new Command("payrun")
  .description(
    "Pays files: checks a CSV batch of payouts, has it approved, sends each payout once, and follows its money.",
  )
  .version(version)
  .option("--debug", "show where an unexpected error came from")
  .showHelpAfterError("(payrun --help lists the commands)")
  .showSuggestionAfterError()
  .exitOverride();

for (const add of [
  demoCommand,
  checkCommand,
  payCommand,
  serveCommands,
  batchCommand,
  payoutCommands,
  simulatorCommand,
  adminCommands,
  doctorCommand,
]) {
  add(program);
}
for (const command of program.commands) {
  command.exitOverride();
  for (const child of command.commands) child.exitOverride();
}

/** A closed pipe (`| head`) is no failure of ours. */
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? 0 : 1),
);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = endingOf(error);
}

/** Says what went wrong, once, and what it means for the exit code. */
function endingOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CliError) {
    say(error.message);
    return error.exitCode;
  }
  if (!(error instanceof Error)) throw error;
  if (error.constructor.name === "ConfigError") {
    say(error.message);
    return EXIT.usage;
  }
  const code = "code" in error ? String(error.code) : "";
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
