import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { appendAudit } from "#ledger/audit.ts";
import type { Database } from "#ledger/database.ts";
import { hasCluster } from "#ledger/embedded/cluster.ts";
import { whyNotKept } from "#ledger/folder.ts";
import { createSealer, readKey, rotatedRing } from "#ledger/sealed.ts";
import { readSettings, writeSettings } from "#ledger/settings.ts";
import { Secret } from "#secret.ts";

/**
 * The key that is made and kept beside an embedded ledger. Losing it loses what is sealed: back it up with the data. It
 * is made before the ledger, so that one which is missing beside a ledger was lost, and is not made anew.
 * @throws KeyError where it is missing or damaged.
 */
export function keyBesideData(dataFolder: string): Secret {
  const file = join(dataFolder, "key");
  const isLedger = hasCluster(dataFolder);
  if (!existsSync(file)) {
    if (isLedger) throw new KeyError(lost(file, "it is not there"));
    const draft = `${file}.${process.pid}`;
    try {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    } catch (error) {
      const found = whyNotKept(error);
      if (found === null) throw error;
      if (existsSync(draft)) unlinkSync(draft);
      throw new KeyError(
        `PAYRUN_DATA ${dataFolder}: expected a folder that keeps a new key, found that ${found}. Name a folder that this user may write to, or set DATABASE_URL.`,
      );
    }
    try {
      linkSync(draft, file); // fails if another process was first: then its key counts
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return new Secret(keyIn(file));
}

function keyIn(file: string): string {
  try {
    const text = readFileSync(file, "utf8").trim();
    readKey(text);
    return text;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new KeyError(lost(file, code ? `it cannot be read${code}` : "it holds no key"));
  }
}

const lost = (file: string, found: string): string =>
  `${file}: expected the key that this ledger was sealed with, found that ${found}. Put the copy from your backup back, or set PAYRUN_KEY to that key; without it the beneficiaries cannot be read.`;

/** Puts another key in its place. */
export function replaceKeyBesideData(dataFolder: string, key: Secret): void {
  const draft = join(dataFolder, `key.${process.pid}`);
  writeFileSync(draft, `${key.reveal()}\n`, { mode: 0o600 });
  renameSync(draft, join(dataFolder, "key"));
}

/** Another key than the one that the ledger was sealed with. */
export class KeyError extends Error {}

/** Remembers which key a ledger was sealed with. @throws KeyError when another key is given later. */
export async function bindKey(database: Database, keyCheck: string): Promise<void> {
  // Written once: a ledger that takes no writes can be read all the same.
  if ((await setting(database, "key_check")) === null) {
    await database
      .insertInto("settings")
      .values({ name: "key_check", value: keyCheck })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if ((await setting(database, "key_check")) !== keyCheck) throw new KeyError(OTHER_KEY);
}

const OTHER_KEY =
  "PAYRUN_KEY is not the key that this ledger was sealed with. Set the key that was used before; without it the beneficiaries cannot be read.";

/** The keys of a ledger whose PAYRUN_KEY was rotated, sealed under the one of today. */
export const ringOf = (database: Database): Promise<string | null> => setting(database, "key_ring");

/**
 * From now on another PAYRUN_KEY opens the ledger, and what is sealed from now on the old one alone does not open.
 * What was sealed before stays as it is: those tables only grow.
 * @throws KeyError where somebody else was first.
 */
export async function rotateKey(
  database: Database,
  { from, to, actor, at }: { from: Secret; to: Secret; actor: string; at: Date },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { value } = await transaction
      .selectFrom("settings")
      .select("value")
      .where("name", "=", "key_check")
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (value !== createSealer(from).keyCheck) throw new KeyError(OTHER_KEY);
    const ring = rotatedRing(from, await ringOf(transaction), to);
    const { keyCheck } = createSealer(to);
    await writeSettings(transaction, { key_check: keyCheck, key_ring: ring });
    await appendAudit(transaction, at, {
      actor,
      action: "rotate_key",
      object: "ledger",
      facts: {},
    });
  });
}

const setting = async (database: Database, name: string): Promise<string | null> =>
  (await readSettings(database, name)).get(name) ?? null;
