import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { Server } from "#cli/terminal/server.ts";

export interface ServerFlags {
  readonly server?: string;
  readonly apiKeyFile?: string;
}

/** Adds the options of commands that can use a server instead of this machine's ledger. */
export const withServerOptions = (command: Command): Command =>
  command
    .option(
      "--server <url>",
      "payrun server to use instead of the local ledger (or set PAYRUN_SERVER)",
    )
    .option("--api-key-file <file>", "file with the server's API key (or set PAYRUN_API_KEY_FILE)");

/** Returns the given server. Null: this machine's ledger is meant. */
export async function serverOf(flags: ServerFlags): Promise<Server | null> {
  const { PAYRUN_SERVER, PAYRUN_API_KEY_FILE } = await configWith(flags);
  if (PAYRUN_SERVER === undefined) return null;
  const { connect } = await import("#cli/terminal/server.ts");
  return connect(PAYRUN_SERVER, PAYRUN_API_KEY_FILE);
}

/**
 * Restricts a command to this machine's ledger. A user who names a server means that server's
 * ledger; here, the command would pay a file a second time, or stop a ledger that sends nothing.
 *
 * @param instead what to do there, in a sentence.
 */
export const localOnly = (command: Command, instead: string): Command =>
  command.hook("preAction", async (_command, called) => {
    if (!(await isServerNamed(called.opts()))) return;
    throw new CliError(
      EXIT.usage,
      `PAYRUN_SERVER is set, but ${fullName(called)} works only with the ledger on this machine. ${instead} No action was taken.`,
    );
  });

const fullName = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

export const RUN_ON_LEDGER_MACHINE =
  "Run this command on the machine with the ledger you want to use, without PAYRUN_SERVER.";

/** Returns whether the options or the environment name a server. */
export const isServerNamed = async (flags: ServerFlags): Promise<boolean> =>
  (await configWith(flags)).PAYRUN_SERVER !== undefined;

async function configWith({ server, apiKeyFile }: ServerFlags) {
  const { readConfig } = await import("#app/config.ts");
  return readConfig({
    ...(server === undefined ? {} : { PAYRUN_SERVER: server }),
    ...(apiKeyFile === undefined ? {} : { PAYRUN_API_KEY_FILE: apiKeyFile }),
  });
}
