import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm, stat, statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "#api/app/problems.ts";
import { systemClock } from "#base/clock.ts";
import { makeFolder } from "#ledger/store/folder.ts";

/** An uploaded file, stored on disk until its request has been answered. */
export interface Spooled {
  /** Hex SHA-256 of its bytes. */
  readonly digest: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

const folderIn = (dataFolder: string): string => join(dataFolder, "uploads");

/** Bytes of uploads on the disk, per person. */
export type SpoolUse = Map<string, number>;

/**
 * Maximum share of the free disk space for one person's uploads, so that another person's upload
 * still fits.
 */
const SHARE_OF_DISK = 0.5;

export interface SpoolLimits {
  /** Maximum size of one file in bytes. */
  readonly bytesMax: number;
  readonly actor: string;
  /** Shared by all requests of this server. */
  readonly use: SpoolUse;
  /** Returns the free bytes on the disk of this folder. Default: as reported by the file system. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

const freeOnDisk = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Writes an upload to a file, because a file is read twice and a stream only once. */
export async function spoolUpload(
  body: Readable,
  dataFolder: string,
  { bytesMax, actor, use, freeBytes = freeOnDisk }: SpoolLimits,
): Promise<Spooled> {
  const folder = folderIn(dataFolder);
  await makeFolder(folder);
  const inUse = [...use.values()].reduce((sum, each) => sum + each, 0);
  const ownMax = Math.floor(((await freeBytes(folder)) + inUse) * SHARE_OF_DISK);
  const note = (more: number): number => {
    const own = (use.get(actor) ?? 0) + more;
    if (own > 0) use.set(actor, own);
    else use.delete(actor);
    return own;
  };
  const path = join(folder, `${hostname()}.${process.pid}.${randomUUID()}`);
  const hash = createHash("sha256");
  let bytes = 0;
  let isRemoved = false;
  const remove = async () => {
    await rm(path, { force: true });
    if (!isRemoved) note(-bytes);
    isRemoved = true;
  };
  try {
    await pipeline(
      body,
      async function* measured(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          bytes += piece.length;
          const own = note(piece.length);
          if (bytes > bytesMax) {
            throw new Problem("too_large", {
              detail: `A file must not exceed ${bytesMax} bytes.`,
            });
          }
          if (own > ownMax) throw diskShareProblem(ownMax);
          hash.update(piece);
          yield piece;
        }
      },
      createWriteStream(path, { mode: 0o600, flags: "wx" }),
    );
  } catch (error) {
    await remove().catch(() => {});
    throw error;
  }
  return { digest: hash.digest("hex"), bytes, open: () => createReadStream(path), remove };
}

const diskShareProblem = (ownMax: number): Problem =>
  new Problem("disk_full", {
    detail: `Your uploads in progress exceed the maximum per user, ${ownMax} bytes (half of the free disk space). This file was not uploaded. Wait until your other uploads are finished, then upload it again. If this is your only upload, ask your payrun administrator for more disk space.`,
  });

/** Machine, process and identity in the name of an upload. */
const OWNER = /^(.+)\.(\d+)\.[\da-f-]{36}$/;
/** Age in milliseconds at which an upload of another machine counts as left behind. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

/**
 * Deletes files of processes that were killed during a request. Other servers may use the same
 * folder, so the files of running processes stay. Call it before the first upload.
 */
export async function deleteStaleUploads(dataFolder: string): Promise<void> {
  const folder = folderIn(dataFolder);
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (await isLeftBehind(name, path)) await rm(path, { force: true });
    }),
  );
}

async function isLeftBehind(name: string, path: string): Promise<boolean> {
  const [, machine, pid] = OWNER.exec(name) ?? [];
  // In a container every process may have the same number as the one before it.
  if (machine === hostname()) return Number(pid) === process.pid || !isRunning(Number(pid));
  const { mtimeMs = 0 } = (await stat(path).catch(() => null)) ?? {};
  return systemClock.nowMs() - mtimeMs > LEFT_BEHIND_MS;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
