import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type FileReading, openFile } from "#intake/file-reader.ts";
import { interpretationNotes, interpretationText } from "#intake/file-interpretation.ts";
import type { ColumnChoices, ColumnMapping } from "#intake/header/column-mapping.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { digestOfRows, openRows, rowListOf, type RowTexts } from "#intake/rows/row-list.ts";
import { storeRows } from "#flows/intake/store-rows.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { type IdGenerator, randomIds } from "#base/ids.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import type { NewBatch } from "#ledger/intake/ingest.ts";
import type { Batch, PayingLedger } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { AmountStyle } from "#money/parse.ts";
import { withSpan } from "#base/telemetry/spans.ts";

export interface Upload
  extends Omit<NewBatch, "id" | "digest" | "linesMove" | "retryOf" | "reading"> {
  /**
   * Opens the file from its beginning. It is read twice: once for its digest, once for its rows.
   */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Hex SHA-256 of the file's bytes, if it is already known. */
  readonly digest?: string;
  /**
   * Hex SHA-256 of the batch's identity, where that is not the file's bytes: an occurrence of a
   * schedule is paid once, regardless of later changes to its list.
   */
  readonly identity?: string;
  readonly choices?: ReadingChoices;
}

/** The statements of the uploader about how the file is to be read. */
export interface ReadingChoices {
  /** Absent: the default of the server, if the amounts cannot be meant in another format. */
  readonly amounts?: AmountStyle;
  /** Absent: columns with common other names are asked about. */
  readonly columns?: ColumnMapping;
  /** The currency of all rows, for a file without a currency column. */
  readonly currency?: string;
  /** Suggests the mapping that the uploader confirmed for an earlier file with these names. */
  readonly recall?: ColumnChoices["recall"];
}

export interface Ingested {
  readonly batch: Batch;
  /** False: this file was uploaded before, and this is its batch. */
  readonly isNew: boolean;
  /**
   * Problems of the rows, errors before warnings, at most `PROBLEMS_MAX`. Empty for a file that was
   * uploaded before.
   */
  readonly problems: readonly Problem[];
  /** The names in the header of the file. Empty for a file that was uploaded before. */
  readonly ownHeader: readonly string[];
}

const PROBLEMS_MAX = 10_000;

/**
 * Reads a file into the ledger, completely or not at all. The same file (by the digest of its
 * bytes) is the same batch, even if it is uploaded twice at the same moment. Returns an Err for a
 * file that cannot be read as a batch.
 */
export async function ingest(
  upload: Upload,
  deps: IngestDeps,
): Promise<Result<Ingested, readonly Problem[]>> {
  const { ledger, rows } = deps;
  const { open, digest: told, identity, choices = {}, ...about } = upload;
  const digest = identity ?? told ?? (await digestOf(open()));
  const known = await ledger.payout.findBatch({ digest });
  if (known) return asRead(known, choices);
  const columns = {
    ...(choices.columns && { confirmed: choices.columns }),
    ...(choices.currency !== undefined && { currency: choices.currency }),
    ...(choices.recall && { recall: choices.recall }),
  };
  const source: RowsSource = {
    ...about,
    digest,
    linesMove: identity !== undefined,
    choices,
    refusesInvalid: false,
    open: () =>
      openFile(open(), settingsFor(choices, rows), { sender: upload.actor, columns, reopen: open }),
  };
  return storeOnce(source, deps);
}

/** The rows of a new batch, and how they are opened. */
type RowsSource = Omit<NewBatch, "id" | "reading"> & {
  readonly choices: ReadingChoices;
  /** True: one invalid row refuses all rows. */
  readonly refusesInvalid: boolean;
  readonly open: () => Promise<Result<FileReading, readonly Problem[]>>;
};

/** Rows that a program sends instead of a file. */
export interface RowsUpload
  extends Omit<NewBatch, "id" | "digest" | "linesMove" | "retryOf" | "reading" | "source"> {
  readonly rows: readonly RowTexts[];
  readonly refusesInvalid: boolean;
}

/**
 * Reads the rows of a request into the ledger, as `ingest` does with a file. The same rows are the
 * same batch. Returns an Err with the problems of the rows if the request refuses invalid rows and
 * has at least one.
 */
export async function ingestRows(
  { rows: given, refusesInvalid, ...about }: RowsUpload,
  deps: IngestDeps,
): Promise<Result<Ingested, readonly Problem[]>> {
  const list = rowListOf(given);
  const digest = digestOfRows(list);
  const known = await deps.ledger.payout.findBatch({ digest });
  if (known) return asRead(known, {});
  const open = async () => ok(openRows(list, deps.rows));
  const source = { ...about, source: "rows", digest, choices: {}, refusesInvalid, open } as const;
  return storeOnce(source, deps);
}

async function storeOnce(
  source: RowsSource,
  deps: IngestDeps,
): Promise<Result<Ingested, readonly Problem[]>> {
  try {
    return await storeBatch(source, deps);
  } catch (error) {
    // Between the check and the commit another file took one of our codes, or a file with codes
    // that follow from this one was uploaded, such as the report of a batch that a restored ledger
    // has forgotten. Those codes can now be named.
    if (!isUniqueViolation(error, "payout_details_code")) throw error;
    return storeBatch(source, deps, "every code");
  }
}

interface IngestDeps {
  readonly ledger: PayingLedger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly ids?: IdGenerator;
}

async function storeBatch(
  source: RowsSource,
  deps: IngestDeps,
  looksFor: "own codes" | "every code" = "own codes",
): Promise<Result<Ingested, readonly Problem[]>> {
  const { ledger, keyring, ids = randomIds } = deps;
  const { open, choices, refusesInvalid, ...about } = source;
  const opening = await open();
  if (!opening.ok) return opening;
  const reading = opening.value;
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const note = (found: readonly Problem[]): void => {
    for (const problem of found) {
      const list = problem.severity === "error" ? errors : warnings;
      if (list.length < PROBLEMS_MAX) list.push(problem);
    }
  };

  const how = reading.facts.reading;
  const batch = { ...about, id: ids.batchId(), reading: how };
  try {
    const span = { name: "store batch", of: { batchId: batch.id }, isFirst: true };
    const create: typeof ledger.intake.createBatch = (...given) =>
      withSpan(span, () => ledger.intake.createBatch(...given));
    const { id, isNew } = await create(batch, async (writer) => {
      await storeWhileReading(reading.rows, async (chunk) =>
        note(await storeRows(chunk, writer, { keyring, looksFor })),
      );
      const end = reading.end();
      if (!end.ok) throw new BrokenFile(end.error);
      if (refusesInvalid && errors.length > 0) throw new BrokenFile(errors);
      const isSame = about.linesMove || end.value.digest === about.digest;
      if (!isSame) throw new Error("the file changed while it was being read");
      // The encoding is certain only now: a file may be plain ASCII for its first megabytes.
      const { encoding, delimiter, header } = reading.facts;
      const notes = [...interpretationNotes(how), ...end.value.notes];
      return { encoding, delimiter, header, notes, reading: how };
    });
    const stored = await ledger.payout.findBatch({ id });
    if (!stored) throw new Error(`batch ${id} is gone`);
    if (!isNew) return asRead(stored, choices);
    const problems = [...errors, ...warnings].slice(0, PROBLEMS_MAX);
    return ok({ batch: stored, isNew, problems, ownHeader: reading.facts.ownHeader });
  } catch (error) {
    if (error instanceof BrokenFile) return err(error.problems);
    throw error;
  }
}

const settingsFor = ({ amounts }: ReadingChoices, settings: RowSettings): RowSettings =>
  amounts === undefined
    ? settings
    : { ...settings, amountStyle: amounts, amountsConfirmed: true, amountsFixed: true };

/**
 * Returns the batch of a file that was uploaded before. Err: the uploader now says that the file
 * is to be read in another way. The file is still the same batch, so that it is not paid twice.
 */
function asRead(
  batch: Batch,
  { amounts, columns, currency }: ReadingChoices,
): Result<Ingested, readonly Problem[]> {
  const { reading } = batch.facts;
  const chosen = [...(columns ?? [])].flatMap(([name, column]) =>
    column === null || knownColumn(name) ? [] : [`${name}=${column}`],
  );
  const isSame =
    !reading ||
    ((amounts === undefined || amounts === reading.amounts) &&
      (currency === undefined || currency === reading.currency) &&
      (columns === undefined ||
        isDeepStrictEqual(
          new Set(chosen),
          new Set(reading.columns.map(({ name, column }) => `${name}=${column}`)),
        )));
  if (isSame) return ok({ batch, isNew: false, problems: [], ownHeader: [] });
  const values = { batch: batch.id, reading: interpretationText(reading) };
  return err([problem("file_read_otherwise", {}, values)]);
}

/**
 * Stores each chunk while the next one is read. When the function returns or throws, no chunk is
 * still being stored.
 */
async function storeWhileReading<Chunk>(
  chunks: AsyncIterable<Chunk>,
  store: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      await storing;
      storing = store(chunk);
      storing.catch(() => {}); // The next wait for it reports the error.
    }
    await storing;
  } finally {
    await storing.catch(() => {});
  }
}

/**
 * Thrown to roll back the transaction: a file that breaks off in the middle leaves no rows behind
 * (F09).
 */
export class BrokenFile extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super("the file broke off");
    this.problems = problems;
  }
}

/** Returns the SHA-256 digest of a file, in hexadecimal. */
export async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}
