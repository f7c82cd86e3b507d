import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import {
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  archiveManifestText,
  type ArchivePart,
  BATCHES,
  partName,
} from "#integrity/archive/manifest.ts";
import { ArchiveTotals, type CountedPayout } from "#integrity/archive/totals.ts";
import type { ArchiveEntry } from "#integrity/evidence-pack/archive.ts";
import {
  check,
  content,
  digestOfStart,
  linesOf,
  PackError,
  readArchive,
  storedContent,
  wholeContent,
} from "#integrity/evidence-pack/archive-reader.ts";
import { MANIFEST, SIGNATURE } from "#integrity/evidence-pack/manifest.ts";
import { isSigned } from "#integrity/evidence-pack/verify.ts";

/** Maximum size in bytes of a directory and of a manifest. */
const BYTES_MAX = 4 * 1_024 * 1_024;

/** One payout as an archive contains it: the rows of its tables, as JSON. */
export interface ArchivedPayout {
  readonly payout: CountedPayout & {
    readonly id: number;
    readonly batch_id: string;
    readonly line: number;
    readonly lane: string;
    readonly reason: string | null;
    readonly gateway_number: string | null;
    readonly settled_at: string | null;
  };
  readonly details: { readonly transaction_code: string; readonly sealed: string };
  readonly attempts: readonly { readonly number: number; readonly opened_at: string }[];
  readonly evidence: readonly {
    readonly at: string;
    readonly kind: string;
    readonly facts: unknown;
  }[];
  readonly transitions: readonly {
    readonly at: string;
    readonly event: string;
    readonly to_state: string;
    readonly reason: string | null;
    readonly actor: string;
  }[];
}

/** An archive file whose manifest was verified. Its parts are verified as they are read. */
export interface OpenArchive {
  readonly manifest: ArchiveManifest;
  /** SHA-256 of the manifest. */
  readonly digest: Buffer;
  /**
   * Returns the text of a part.
   *
   * @throws PackError if it is not the part that the manifest lists.
   */
  partText(part: ArchivePart): Promise<string>;
  /** Yields the batches, one JSON text each. */
  batches(): AsyncGenerator<string>;
  /** @throws PackError if the file differs in any byte from the file that was signed. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an archive file and verifies its manifest.
 *
 * @param keys public keys of the installation.
 * @throws PackError if the manifest is not signed with one of these keys.
 */
export async function openArchive(path: string, keys: readonly string[]): Promise<OpenArchive> {
  const file = await open(path);
  try {
    return await asPackError(() => readManifest(file, keys));
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readManifest(file: FileHandle, keys: readonly string[]): Promise<OpenArchive> {
  const entries = await readArchive(file, { bytesMax: BYTES_MAX, expected: expectedNames });
  const entryOf = (name: string): ArchiveEntry => {
    const entry = entries.get(name);
    check(entry !== undefined, `${name} is missing`);
    return entry;
  };
  const text = await storedContent(file, entryOf(MANIFEST), BYTES_MAX);
  const signature = (await storedContent(file, entryOf(SIGNATURE))).toString("latin1");
  const manifest = JSON.parse(text.toString()) as ArchiveManifest;
  check(manifest.format === ARCHIVE_FORMAT, "this version of payrun does not know its format");
  check(keys.includes(manifest.key), `it is signed with another key: ${manifest.key}`);
  check(isSigned(text, signature, manifest.key), "the signature is not valid");
  check(archiveManifestText(manifest) === text.toString(), "the manifest was rewritten");
  const names = [...manifest.parts, manifest.batches].map(({ name }) => name);
  check(
    [...names, MANIFEST, SIGNATURE].join() === [...entries.keys()].join(),
    "the manifest lists other files",
  );
  const archive = {
    manifest,
    digest: createHash("sha256").update(text).digest(),
    partText: (part: ArchivePart) =>
      asPackError(async () => decoder.decode(await wholeContent(file, entryOf(part.name), part))),
    batches: () => linesOf(content(file, entryOf(BATCHES), manifest.batches)),
    close: () => file.close(),
  };
  return {
    ...archive,
    verify: () =>
      asPackError(async () => {
        const { size, sha256 } = manifest.archive;
        const isSame =
          size === entryOf(MANIFEST).offset && sha256 === (await digestOfStart(file, size));
        check(isSame, "the file was changed after it was signed");
        await checkContent(archive);
      }),
  };
}

/** The parts by number, the batches, the manifest and its signature. */
const expectedNames = (names: readonly string[]): readonly string[] => [
  ...Array.from({ length: Math.max(0, names.length - 3) }, (_, index) => partName(index + 1)),
  BATCHES,
  MANIFEST,
  SIGNATURE,
];

async function checkContent(archive: Omit<OpenArchive, "verify">): Promise<void> {
  const { manifest } = archive;
  const totals = new ArchiveTotals();
  const batches = new Set<string>();
  for await (const line of archive.batches())
    batches.add((JSON.parse(line) as { batch: { id: string } }).batch.id);
  for (const part of manifest.parts) {
    const payouts = payoutsIn(await archive.partText(part));
    let last = part.first_id - 1;
    for (const { payout } of payouts) {
      const isOwn = payout.batch_id === part.batch_id && payout.id > last;
      check(isOwn, `payout ${payout.id} does not belong to ${part.name}`);
      totals.add(payout);
      last = payout.id;
    }
    const isWhole = payouts.length === part.payouts && last === part.last_id;
    check(isWhole && batches.has(part.batch_id), `${part.name} is not as listed`);
  }
  const isSame = JSON.stringify(totals.list()) === JSON.stringify(manifest.totals);
  check(isSame, "the totals differ from the sums of the payouts");
}

/** Returns the payouts of a part. */
export const payoutsIn = (text: string): ArchivedPayout[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ArchivedPayout);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reports damaged JSON, characters or compressed data as a PackError. */
async function asPackError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PackError || (error instanceof Error && "syscall" in error)) throw error;
    throw new PackError(error instanceof Error ? error.message : String(error));
  }
}
