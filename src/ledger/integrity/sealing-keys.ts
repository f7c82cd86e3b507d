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
import type { Database } from "#ledger/store/database.ts";
import { hasCluster } from "#ledger/embedded/cluster.ts";
import { USE_SUBJECT_KEYS } from "#ledger/integrity/stored-keys.ts";
import { whyNotWritable } from "#ledger/store/folder.ts";
import { readKey } from "#ledger/store/sealing.ts";
import { readSettings } from "#ledger/store/settings.ts";
import { Secret } from "#base/secret.ts";

/**
 * Returns the key of an embedded ledger, which is created and stored next to the data. Without the
 * key, sealed data is lost, so back it up together with the data. The key is created before the
 * ledger. If it is missing although a ledger exists, it was lost, and no new one is created.
 *
 * @throws KeyError if the key is missing or damaged.
 */
export function readOrCreateKeyFile(dataFolder: string): Secret {
  const file = join(dataFolder, "key");
  const isLedger = hasCluster(dataFolder);
  if (!existsSync(file)) {
    if (isLedger) throw new KeyError(keyLostText(file, "it does not exist"));
    const draft = `${file}.${process.pid}`;
    try {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    } catch (error) {
      const found = whyNotWritable(error);
      if (found === null) throw error;
      if (existsSync(draft)) unlinkSync(draft);
      throw new KeyError(
        `PAYRUN_DATA ${dataFolder} cannot store a new key: ${found}. Set it to a folder that this user may write to, or set DATABASE_URL.`,
      );
    }
    try {
      linkSync(draft, file); // fails if another process was first; its key then counts
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
    throw new KeyError(
      keyLostText(file, code ? `it cannot be read${code}` : "it does not contain a key"),
    );
  }
}

const keyLostText = (file: string, found: string): string =>
  `${file} must contain the key that encrypted this ledger, but ${found}. Restore the file from your backup, or set PAYRUN_KEY to that key. Without it, beneficiary details cannot be decrypted.`;

/** Replaces the key. */
export function replaceKeyFile(dataFolder: string, key: Secret): void {
  const draft = join(dataFolder, `key.${process.pid}`);
  writeFileSync(draft, `${key.reveal()}\n`, { mode: 0o600 });
  renameSync(draft, join(dataFolder, "key"));
}

/** Thrown when the given key is not the one with which the ledger was sealed. */
export class KeyError extends Error {}

/**
 * Records the key with which a ledger was sealed.
 *
 * @throws KeyError when another key is given later.
 */
export async function bindKey(database: Database, keyCheck: string): Promise<void> {
  // Written only once, so that a read-only ledger can still be read.
  if ((await setting(database, "key_check")) === null) {
    await database
      .insertInto("settings")
      .values([{ name: "key_check", value: keyCheck }, USE_SUBJECT_KEYS])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if ((await setting(database, "key_check")) !== keyCheck) throw new KeyError(OTHER_KEY);
}

export const OTHER_KEY =
  "PAYRUN_KEY is not the key that encrypted this ledger. Set it to the key that was used before. Without that key, beneficiary details cannot be decrypted.";

/** Returns the keys of a ledger whose PAYRUN_KEY was rotated, sealed under the current one. */
export const findKeyRing = (database: Database): Promise<string | null> =>
  setting(database, "key_ring");

const setting = async (database: Database, name: string): Promise<string | null> =>
  (await readSettings(database, name)).get(name) ?? null;
