import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { actor, print } from "#cli/output.ts";
import { AT_ITS_MACHINE, hereAlone } from "#cli/where.ts";
import { systemClock } from "#clock.ts";
import type { Database } from "#ledger/database.ts";
import type { Secret } from "#secret.ts";

/** Milliseconds without a report after which a process counts as ended. */
const SILENT_MS = 60_000;

export function keyCommand(program: Command): void {
  const key = program
    .command("key")
    .description("change the key that encrypts beneficiary details");
  hereAlone(key.command("rotate"), AT_ITS_MACHINE)
    .requiredOption("--to <file>", "file with the new PAYRUN_KEY, from: openssl rand -hex 32")
    .description("re-encrypt the ledger with a new PAYRUN_KEY; stop serve and workers first")
    .action(rotate);
}

async function rotate({ to: file }: { readonly to: string }): Promise<void> {
  const { readConfig, dataFolder } = await import("#config.ts");
  const { keyOf, openLedger } = await import("#open-ledger.ts");
  const { replaceKeyBesideData, rotateKey } = await import("#ledger/key.ts");
  const to = await keyIn(file);
  const config = readConfig();
  const { database, close } = await openLedger(config);
  try {
    await assertNobodyRuns(database);
    const at = new Date(systemClock.nowMs());
    await rotateKey(database, { from: keyOf(config), to, actor: actor(), at });
    if (config.PAYRUN_KEY) {
      print("The ledger uses the new key. Set PAYRUN_KEY to it, then start payrun again.");
    } else {
      replaceKeyBesideData(dataFolder(config), to);
      print("The ledger uses the new key, which is stored next to its data.");
    }
    print("Keep the old key as long as you keep backups from before this change.");
  } finally {
    await close();
  }
}

async function keyIn(file: string): Promise<Secret> {
  const { isKey, KEY_FORM } = await import("#ledger/sealed.ts");
  const { Secret: Hidden } = await import("#secret.ts");
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(
      EXIT.notFound,
      `--to ${file}: the file with the new PAYRUN_KEY cannot be read (${code}). Nothing was changed.`,
    );
  }
  if (!isKey(text)) {
    throw new CliError(EXIT.usage, `${file} must hold ${KEY_FORM}. Nothing was changed.`);
  }
  return new Hidden(text);
}

/**
 * Running processes would continue with their old keys and could not decrypt what others encrypt.
 */
async function assertNobodyRuns(database: Database): Promise<void> {
  const { workerLines } = await import("#ledger/pulse.ts");
  const alive = (await workerLines(database)).filter(({ seenAgoMs }) => seenAgoMs < SILENT_MS);
  if (alive.length === 0) return;
  const names = alive.map(({ host, pid }) => `${host}, process ${pid}`).join("; ");
  throw new CliError(
    EXIT.conflict,
    `Stop the processes that use this ledger first (${names}). A killed process is no longer listed after a minute. Nothing was changed.`,
  );
}
