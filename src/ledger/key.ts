import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "#ledger/database.ts";
import { Secret } from "#secret.ts";

/** The key that is made and kept beside an embedded ledger. Losing it loses what is sealed: back it up with the data. */
export function keyBesideData(dataFolder: string): Secret {
  const file = join(dataFolder, "key");
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file); // fails if another process was first: then its key counts
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return new Secret(readFileSync(file, "utf8").trim());
}

/** Another key than the one that the ledger was sealed with. */
export class KeyError extends Error {}

/** Remembers which key a ledger was sealed with. @throws KeyError when another key is given later. */
export async function bindKey(database: Database, keyCheck: string): Promise<void> {
  await database
    .insertInto("settings")
    .values({ name: "key_check", value: keyCheck })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await database
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "key_check")
    .executeTakeFirstOrThrow();
  if (kept.value !== keyCheck) {
    throw new KeyError(
      "PAYRUN_KEY is not the key that this ledger was sealed with. Set the key that was used before; without it the beneficiaries cannot be read.",
    );
  }
}
