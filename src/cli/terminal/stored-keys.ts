import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userSettingsFolder } from "#app/config.ts";
import type { Secret } from "#base/secret.ts";

/** Returns the user's file for the API key of a server (`payrun login`). */
const pathOf = (base: string): string =>
  join(userSettingsFolder(), "payrun", "keys", encodeURIComponent(base));

/** Returns the file with the stored key of a server. Undefined: no key is stored. */
export function findStoredKey(base: string): string | undefined {
  const path = pathOf(base);
  return existsSync(path) ? path : undefined;
}

/** Stores the key of a server in a file that only this user can read, and returns its path. */
export function storeKey(base: string, key: Secret): string {
  const path = pathOf(base);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  // A new file, because the mode of an existing one would stay.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${key.reveal()}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
  return path;
}

/** Deletes the stored key of a server. False: no key was stored. */
export function removeKey(base: string): boolean {
  const path = findStoredKey(base);
  if (path === undefined) return false;
  rmSync(path);
  return true;
}
