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
export async function serverOf({ server, apiKeyFile }: ServerFlags): Promise<Server | null> {
  const { readConfig } = await import("#config.ts");
  const { PAYRUN_SERVER, PAYRUN_API_KEY_FILE } = readConfig({
    ...(server === undefined ? {} : { PAYRUN_SERVER: server }),
    ...(apiKeyFile === undefined ? {} : { PAYRUN_API_KEY_FILE: apiKeyFile }),
  });
  if (PAYRUN_SERVER === undefined) return null;
  const { connect } = await import("#cli/server.ts");
  return connect(PAYRUN_SERVER, PAYRUN_API_KEY_FILE);
}
