import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "#http/problems.ts";
import { makeFolder } from "#ledger/folder.ts";

/** A file that was sent, as it lies on our disk until the request has its answer. */
export interface Spooled {
  /** Hex SHA-256 of its bytes. */
  readonly digest: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

const folderIn = (dataFolder: string): string => join(dataFolder, "uploads");

/** Writes what is sent to a file of our own, because a file is read twice, and what comes over a line only once. */
export async function spool(
  body: Readable,
  dataFolder: string,
  bytesMax: number,
): Promise<Spooled> {
  const folder = folderIn(dataFolder);
  await makeFolder(folder);
  const path = join(folder, randomUUID());
  const hash = createHash("sha256");
  let bytes = 0;
  const remove = () => rm(path, { force: true });
  try {
    await pipeline(
      body,
      async function* measured(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          bytes += piece.length;
          if (bytes > bytesMax) {
            throw new Problem("too_large", { detail: `A file has at most ${bytesMax} bytes.` });
          }
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

/** What an earlier process has left: it was killed in the middle of a request. */
export async function sweepSpool(dataFolder: string): Promise<void> {
  const folder = folderIn(dataFolder);
  const left = await readdir(folder).catch(() => []);
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}
