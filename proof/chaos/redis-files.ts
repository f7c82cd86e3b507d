import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RedisProcess } from "../../test/support/servers/redis.ts";

/** Snapshots of Redis for a later restore; each costs a copy. */
const KEPT = 3;

export interface Snapshots {
  /** Copies Redis's files from the disk while it works. */
  take(): void;
  /** While Redis is down: restores an earlier state (F16). */
  putBack(): void;
}

/**
 * @param kept folder of the copies.
 * @param texts folder for what Redis wrote, in which the checker searches for secrets.
 */
export function snapshotsOf({ folder }: RedisProcess, kept: string, texts: string): Snapshots {
  const taken: string[] = [];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true });
  return {
    take() {
      const place = mkdtempSync(join(kept, "redis-"));
      copy(folder, place);
      taken.push(place);
      if (taken.length > KEPT) rmSync(taken.shift() ?? "", { recursive: true });
    },
    putBack() {
      const [oldest] = taken;
      if (!oldest) return;
      dumpTexts(folder, texts);
      rmSync(folder, { recursive: true });
      copy(oldest, folder);
    },
  };
}

/** While Redis is down: removes part of the last kilobytes that it wrote (F15). */
export function cutTail({ folder }: RedisProcess, share: number, texts: string): void {
  const newest = logsIn(folder)
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .at(-1);
  if (!newest) return;
  const { size } = statSync(newest);
  const left = Math.max(size - Math.round(share * TAIL_BYTES), 0);
  // From a little before the cut, so that a number across the cut is found as well.
  writeFileSync(keptFile(texts), readFileSync(newest).subarray(Math.max(left - TAIL_BYTES, 0)));
  truncateSync(newest, left);
}

const TAIL_BYTES = 16_384;

const logsIn = (folder: string): string[] =>
  globSync("**/*.aof", { cwd: folder }).map((path) => join(folder, path));

/** Redis's append-only file contains everything that was ever written to it. */
export function dumpTexts(folder: string, texts: string): void {
  for (const path of logsIn(folder)) cpSync(path, keptFile(texts));
}

let copies = 0;
const keptFile = (texts: string): string => join(texts, `redis-${(copies += 1)}.aof`);
