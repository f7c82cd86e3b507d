import { cpSync, globSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { RedisProcess } from "../../test/support/redis.ts";

/** Moments of Redis that can be put back later; each costs a copy. */
const KEPT = 3;

export interface Snapshots {
  /** Copies Redis as it is on disk, in the middle of what it does. */
  take(): void;
  /** While Redis is down: what it knew some moments ago is all it knows (F16). */
  putBack(): void;
}

/** @param texts where what Redis has written is kept, for the checker to look for secrets in. */
export function snapshotsOf({ folder }: RedisProcess, texts: string): Snapshots {
  const taken: string[] = [];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true });
  return {
    take() {
      const place = mkdtempSync(`${folder}-kept-`);
      copy(folder, place);
      taken.push(place);
      if (taken.length > KEPT) rmSync(taken.shift() ?? "", { recursive: true });
    },
    putBack() {
      const [oldest] = taken;
      if (!oldest) return;
      keepWords(folder, texts);
      rmSync(folder, { recursive: true });
      copy(oldest, folder);
    },
  };
}

/** While Redis is down: it loses a share of the last kilobytes that it wrote (F15). */
export function cutTail({ folder }: RedisProcess, share: number, texts: string): void {
  keepWords(folder, texts);
  const newest = logsIn(folder)
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .at(-1);
  if (!newest) return;
  const { size } = statSync(newest);
  truncateSync(newest, Math.max(size - Math.round(share * TAIL_BYTES), 0));
}

const TAIL_BYTES = 16_384;

const logsIn = (folder: string): string[] =>
  globSync("**/*.aof", { cwd: folder }).map((path) => join(folder, path));

/** Everything that Redis was ever given stands in its append-only file. */
export function keepWords(folder: string, texts: string): void {
  for (const path of logsIn(folder)) {
    cpSync(path, join(texts, `redis-${(copies += 1)}.aof`));
  }
}

let copies = 0;
