import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { currentActor, plural, print, say } from "#cli/terminal/output.ts";
import {
  RUN_ON_LEDGER_MACHINE,
  localOnly,
  type ServerFlags,
  withServerOptions,
} from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Secret } from "#base/secret.ts";

/** Milliseconds without a report after which a process counts as ended. */
const SILENT_MS = 60_000;

/** Adds `payrun key` to the program. */
export function keyCommand(program: Command): void {
  const key = program
    .command("key")
    .description(
      "change or export the keys that encrypt beneficiary details, or show the public key",
    );
  withServerOptions(
    key
      .command("public")
      .description("print the public keys that verify evidence packs, newest first"),
  ).action(async (flags: ServerFlags) => {
    const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
    return withLedgerApi(flags, async (client) => {
      const { keys } = await client.call("GET /api/evidence-keys");
      for (const each of keys) print(each);
    });
  });
  localOnly(key.command("rotate"), RUN_ON_LEDGER_MACHINE)
    .requiredOption("--to <file>", "file with the new PAYRUN_KEY, from: openssl rand -hex 32")
    .description(
      "re-encrypt the ledger with a new PAYRUN_KEY; stop payrun serve and all workers first",
    )
    .action(rotate);
  localOnly(key.command("export"), RUN_ON_LEDGER_MACHINE)
    .argument("<file>", "new file for the keys, which only PAYRUN_KEY opens")
    .description("write the keys that open older backups, without those of erased people")
    .action(async (file: string) => {
      const { writeKeys } = await import("#cli/integrity/key-file.ts");
      return writeKeys(file);
    });
  localOnly(key.command("import"), RUN_ON_LEDGER_MACHINE)
    .argument("<file>", "file from payrun key export, written with this PAYRUN_KEY")
    .description("open a backup from before a rotation with the current PAYRUN_KEY")
    .action(async (file: string) => {
      const { readKeys } = await import("#cli/integrity/key-file.ts");
      return readKeys(file);
    });
}

async function rotate({ to: file }: { readonly to: string }): Promise<void> {
  const { readConfig, dataFolder } = await import("#app/config.ts");
  const { keyOf, openLedger } = await import("#app/open-ledger.ts");
  const { rotateKey } = await import("#ledger/erasure/rotate-key.ts");
  const { rewriteNextTerms } = await import("#ledger/erasure/rewrite-terms.ts");
  const { findKeyRing, replaceKeyFile } = await import("#ledger/integrity/sealing-keys.ts");
  const { createSealer, KeyUsed } = await import("#ledger/store/sealing.ts");
  const to = await keyIn(file);
  const config = readConfig();
  const { database, close } = await openLedger(config);
  try {
    await assertNobodyRuns(database);
    const at = new Date(systemClock.nowMs());
    const rotation = { from: keyOf(config), to, actor: currentActor(), at };
    const erasures = await rotateKey(database, rotation).catch((error: unknown) => {
      throw error instanceof KeyUsed
        ? new CliError(EXIT.usage, `${error.message} No changes were made.`)
        : error;
    });
    if (config.PAYRUN_KEY) {
      print(
        "The ledger now uses the new key. Set PAYRUN_KEY to the new key, then start payrun again.",
      );
    } else {
      replaceKeyFile(dataFolder(config), to);
      print("The ledger now uses the new key, which is stored next to the ledger's data.");
    }
    if (erasures > 0) {
      say("The names and references of all payouts are indexed again. You can start payrun now.");
      const sealer = createSealer(to, await findKeyRing(database));
      while (await rewriteNextTerms(database, sealer));
    }
    print(
      erasures === 0
        ? "Keep the old key as long as you keep backups from before this change."
        : `Destroy every copy of the old key to complete ${plural(erasures, "erasure")}. Backups from before this change then cannot be restored without it, so make a new backup now.`,
    );
  } finally {
    await close();
  }
}

async function keyIn(file: string): Promise<Secret> {
  const { isKey, KEY_FORM } = await import("#ledger/store/sealing.ts");
  const { Secret: Hidden } = await import("#base/secret.ts");
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(
      EXIT.notFound,
      `--to ${file}: the file with the new PAYRUN_KEY cannot be read (${code}). No changes were made.`,
    );
  }
  if (!isKey(text)) {
    throw new CliError(EXIT.usage, `${file} must contain ${KEY_FORM}. No changes were made.`);
  }
  return new Hidden(text);
}

/**
 * Running processes would continue with their old keys and could not decrypt what others encrypt.
 */
async function assertNobodyRuns(database: Database): Promise<void> {
  const { findWorkers } = await import("#ledger/operations/throughput-samples.ts");
  const alive = (await findWorkers(database)).filter(({ seenAgoMs }) => seenAgoMs < SILENT_MS);
  if (alive.length === 0) return;
  const names = alive.map(({ host, pid }) => `${host}, process ${pid}`).join("; ");
  throw new CliError(
    EXIT.conflict,
    `First stop the processes that use this ledger (${names}). A process that was killed disappears from this list after a minute. No changes were made.`,
  );
}
