import type { Command } from "commander";
import type { Server } from "#cli/server.ts";

export interface ServerFlags {
  readonly server?: string;
  readonly apiKeyFile?: string;
}

/** For commands that can ask a server instead of the ledger of this machine. */
export const atServer = (command: Command): Command =>
  command
    .option("--server <url>", "ask this payrun server (PAYRUN_SERVER), not the ledger here")
    .option("--api-key-file <file>", "holds the API key for it (PAYRUN_API_KEY_FILE)");

/** The server that was named; null: the ledger of this machine is meant. */
export async function serverOf(flags: ServerFlags): Promise<Server | null> {
  const { PAYRUN_SERVER, PAYRUN_API_KEY_FILE } = await configWith(flags);
  if (PAYRUN_SERVER === undefined) return null;
  const { connect } = await import("#cli/server.ts");
  return connect(PAYRUN_SERVER, PAYRUN_API_KEY_FILE);
}

/** For commands that work on this machine alone, and say so. */
export const isServerNamed = async (flags: ServerFlags): Promise<boolean> =>
  (await configWith(flags)).PAYRUN_SERVER !== undefined;

async function configWith({ server, apiKeyFile }: ServerFlags) {
  const { readConfig } = await import("#config.ts");
  return readConfig({
    ...(server === undefined ? {} : { PAYRUN_SERVER: server }),
    ...(apiKeyFile === undefined ? {} : { PAYRUN_API_KEY_FILE: apiKeyFile }),
  });
}
