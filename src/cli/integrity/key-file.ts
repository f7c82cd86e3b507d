import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { systemClock } from "#base/clock.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, plural, print, say } from "#cli/terminal/output.ts";
import type { ExportedKeys } from "#ledger/erasure/exported-keys.ts";

const Bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const KeyFile = z.strictObject({
  format: z.literal("payrun keys v1"),
  ledger_id: z.string(),
  key_check: z.string(),
  ring: z.string(),
  tree: z.array(z.strictObject({ shard: z.int(), version: z.int(), sealed: Bytes })),
});

/** Writes the keys of the ledger to a new file. */
export async function writeKeys(file: string): Promise<void> {
  const { exportKeys } = await import("#ledger/erasure/exported-keys.ts");
  const keys = await withLedger(({ database }) => exportKeys(database));
  if (keys === null) {
    throw new CliError(
      EXIT.conflict,
      "PAYRUN_KEY was never rotated, so it opens every backup. No file was written.",
    );
  }
  write(file, documentOf(keys));
  print(`${file}: ${plural(keys.tree.length, "part")} of the keys.`);
  say("Keep it with your backups. After the next erasure or rotation, export the keys again.");
}

const documentOf = ({ ledgerId, keyCheck, ring, tree }: ExportedKeys) => ({
  format: "payrun keys v1",
  ledger_id: ledgerId,
  key_check: keyCheck,
  ring,
  tree: tree.map(({ shard, version, sealed }) => ({
    shard,
    version,
    sealed: sealed.toString("base64"),
  })),
});

function write(file: string, document: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(document)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.usage, `${file} cannot be written as a new file (${code}).`);
  }
}

/** Gives a restored ledger the keys of the file. */
export async function readKeys(file: string): Promise<void> {
  const { readConfig } = await import("#app/config.ts");
  const { keyOf, withUnopenedLedger } = await import("#app/open-ledger.ts");
  const { importKeys } = await import("#ledger/erasure/exported-keys.ts");
  const { rewriteNextTerms } = await import("#ledger/erasure/rewrite-terms.ts");
  const keys = keysIn(file);
  const config = readConfig();
  await withUnopenedLedger(config, async (database) => {
    const order = { key: keyOf(config), actor: currentActor(), at: new Date(systemClock.nowMs()) };
    const sealer = await importKeys(database, keys, order);
    print("The ledger now uses the keys of the file. Data of erased people stays unreadable.");
    say("The names and references of all payouts are indexed again.");
    while (await rewriteNextTerms(database, sealer));
  });
}

function keysIn(file: string): ExportedKeys {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.notFound, `${file} cannot be read (${code}). No changes were made.`);
  }
  const read = KeyFile.safeParse(parsed(text));
  if (!read.success) {
    throw new CliError(EXIT.usage, `${file} is not from payrun key export. No changes were made.`);
  }
  const { ledger_id: ledgerId, key_check: keyCheck, ring, tree } = read.data;
  return { ledgerId, keyCheck, ring, tree };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
