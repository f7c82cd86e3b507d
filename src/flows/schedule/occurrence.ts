import { createHash } from "node:crypto";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import { printable } from "#base/invisible-characters.ts";
import type { Clock } from "#base/clock.ts";
import { ingest, type Upload } from "#flows/intake/ingest.ts";
import { rowsAsFile } from "#flows/intake/rows-as-file.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import {
  type ArrivedFile,
  type Inbox,
  type OpenInbox,
  UnreadableFile,
} from "#schedule/folder/inbox.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { DueOccurrence, OccurrenceResult } from "#ledger/schedule/occurrences.ts";
import { OccurrenceEnded } from "#ledger/intake/occurrence-batch.ts";
import type { Log } from "#base/log.ts";
import { isMissed } from "#schedule/schedule.ts";
import { momentText } from "#schedule/local-time.ts";

export interface OccurrenceDeps {
  readonly ledger: Ledger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly inboxOf: OpenInbox;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
}

/**
 * Creates the batch of one occurrence, once. The batch, its send time, the end of the occurrence
 * and the request for approval are one commit. Therefore nobody can approve the batch for immediate
 * sending, and a crash creates no second batch.
 */
export async function createOccurrenceBatch(
  due: DueOccurrence,
  deps: OccurrenceDeps,
): Promise<void> {
  try {
    const found = await endingOf(due, deps);
    if (!found) return;
    const { moveFileAway, ...ending } = found;
    const at = new Date(deps.clock.nowMs());
    const isRecorded = await deps.ledger.transaction((transaction) =>
      transaction.schedule.endOccurrence(due, ending, at),
    );
    if (isRecorded) await moveFileAway?.();
  } catch (error) {
    if (!(error instanceof OccurrenceEnded)) throw error;
  }
}

/**
 * The result of an occurrence. Its file is moved away after the result is recorded: if the schedule
 * was edited meanwhile, the file stays for the next attempt.
 */
type Ending = OccurrenceResult & { readonly moveFileAway?: () => Promise<void> };

/** Null: the occurrence ended with its batch, or continues to wait. */
async function endingOf(due: DueOccurrence, deps: OccurrenceDeps): Promise<Ending | null> {
  if (due.decided === "skip") return { state: "skipped", why: due.decidedWhy };
  if (due.mayBePaid && !due.byHand && due.decided === null) {
    return missed(
      "The ledger has been restored. This batch may have been created and paid in the history that was lost. Contact gateway support, then create the batch or skip this day.",
    );
  }
  if (due.list !== null) return fromList(due, due.list, deps);
  return due.folder === null
    ? failed("The schedule has neither a list nor a folder.")
    : fromFolder(due, due.folder, deps);
}

const missed = (why: string): Ending => ({ state: "missed", why });
const failed = (why: string): Ending => ({ state: "failed", why });
const whenOf = ({ local, zone }: DueOccurrence) => ({ local, zone });
const isLate = ({ byHand, sendAt, graceHours, now }: DueOccurrence): boolean =>
  !byHand && isMissed(sendAt, graceHours, now);

/** The properties that every batch of a schedule has, regardless of the source of its rows. */
function uploadOf(due: DueOccurrence, note: string | null): Omit<Upload, "fileName" | "open"> {
  const { id, day, version, list, maker: actor, sendAt, expiresHours } = due;
  return {
    actor,
    send: { ...whenOf(due), at: sendAt, expiresHours },
    occurrence: { id, day, version, list, note },
  };
}

async function fromList(due: DueOccurrence, list: string, deps: OccurrenceDeps) {
  const { id, day, name, local } = due;
  if (isLate(due)) {
    return missed(
      `The batch was not created in time for ${momentText(whenOf(due))}. Create it now, or skip this day.`,
    );
  }
  const batch = await deps.ledger.payout.findBatch({ id: list });
  if (!batch) return failed(`The schedule's list, batch ${list}, no longer exists.`);
  const left =
    batch.rejected === 0 ? null : `Rows left out of the list because of errors: ${batch.rejected}.`;
  const made = await ingest(
    {
      ...uploadOf(due, left),
      fileName: `${name} ${local.slice(0, 10)}.csv`,
      choices: { columns: new Map() },
      open: () => rowsAsFile(deps.ledger, batch, "new codes"),
      // An occurrence is paid once, regardless of later changes to its list.
      identity: createHash("sha256").update(`schedule ${id} ${day}`).digest("hex"),
    },
    { ...deps, rows: settingsOfBatch(deps.rows, batch.facts.reading) },
  );
  if (!made.ok) return failed(made.error.map(({ message }) => message).join(" "));
  const { batch: its, isNew } = made.value;
  return isNew ? null : ({ state: "created", batchId: its.id, why: null } as const);
}

async function fromFolder(due: DueOccurrence, folder: string, deps: OccurrenceDeps) {
  const { ledger } = deps;
  const wait = async (why: string, files: readonly ArrivedFile[] = []) => {
    if (isLate(due)) return missed(`${why} The file was due by ${momentText(whenOf(due))}.`);
    await ledger.schedule.waitForFile(due, { seen: files.map(({ identity }) => identity), why });
    return null;
  };
  // A file that arrives too late for one day would be taken for the next.
  if (due.undecided !== null) return wait(`Decide on the occurrence of ${due.undecided} first.`);
  const cannotLook = (why: string) => wait(`The folder cannot be checked: ${why}.`);
  const inbox = await deps.inboxOf(folder);
  if (!inbox.ok) return cannotLook(inbox.error);
  const looked = await inbox.value.list();
  if (!looked.ok) return cannotLook(looked.error);

  const files = await moveUsedFiles(due, inbox.value, looked.value, deps);
  const [file, ...others] = files;
  if (!file) {
    const why = `The folder ${folder} contains no .csv or .xlsx file.`;
    return due.byHand ? missed(why) : wait(why);
  }
  const names = files.map(({ name }) => name).join(", ");
  const isSame = due.seen?.join() === files.map(({ identity }) => identity).join();
  if (!isSame || !due.isQuiet) return wait(`${names} arrived, but may still be incomplete.`, files);
  if (isLate(due))
    return missed(`${names} arrived too late. Create the batch anyway, or skip this day.`);
  if (others.length > 0)
    return failed(`The folder ${folder} contains several files: ${names}. Leave only one.`);
  try {
    return await fromFile(due, file, inbox.value, deps);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return wait(error.message);
  }
}

async function fromFile(due: DueOccurrence, file: ArrivedFile, inbox: Inbox, deps: OccurrenceDeps) {
  const { name } = file;
  if (due.skippedAt && file.arrivedAt < due.skippedAt) {
    return failed(
      `${name} was already in the folder when an earlier day was skipped. Remove it, or save it to the folder again.`,
    );
  }
  const why = file.whyNot ?? tooLarge(file);
  if (why !== null) return failed(`${name} cannot be uploaded: ${why}.`);
  const upload = {
    ...uploadOf(due, null),
    fileName: printable(name).slice(0, 255),
    open: () => inbox.open(file),
    choices: {
      ...(due.amounts !== null && { amounts: due.amounts }),
      ...(due.currency !== null && { currency: due.currency }),
    },
  };
  const made = await ingest(upload, deps);
  const aside = (where: "done" | "failed", label: string) =>
    moveFile(file, where, `${due.day} ${label}`, inbox, deps);
  if (!made.ok) {
    const [first] = made.error;
    const amounts = first?.proposal?.columns === null ? first.proposal.amounts : null;
    // The file stays, so that the batch can be created when somebody has chosen the format.
    if (amounts) return { ...failed(`${name}: ${first?.message} ${CHOOSE_FORMAT}`), amounts };
    if (lacksOnlyCurrency(first)) {
      const why = `${name}: The file has no column for the currency. ${CHOOSE_CURRENCY}`;
      return { ...failed(why), lacksCurrency: true };
    }
    const problem = `${name} cannot be read as a batch: ${first?.message ?? ""} ${hintOn(first)}`;
    return {
      ...failed(problem.trimEnd()),
      moveFileAway: () => aside("failed", stampOf(deps)),
    };
  }
  const { batch, isNew } = made.value;
  if (isNew) {
    await aside("done", batch.id);
    return null;
  }
  const state = batch.state.replaceAll("_", " ");
  const known = `${name} was already uploaded as batch ${batch.id} (${state}). Each file is paid only once.`;
  return { ...failed(known), moveFileAway: () => aside("failed", batch.id) };
}

const CHOOSE_FORMAT =
  "The file is still in the folder. Choose the amount format of the schedule; payrun then reads the file again.";
const CHOOSE_CURRENCY =
  "The file is still in the folder. Choose the currency in the settings of the schedule; payrun then reads the file again.";
const OTHER_CURRENCY =
  "Change the currency in the settings of the schedule, then save the file to the folder again.";
const CONFIRM_BY_HAND =
  "Nobody can confirm columns for a file in a folder. Save the file with payrun's column names, or upload it on the dashboard.";

/** Returns whether a file can be read as soon as somebody has chosen the currency of all rows. */
const lacksOnlyCurrency = (first: Problem | undefined): boolean => {
  const { columns = null, currency } = first?.proposal ?? {};
  const isNamed = columns?.every(({ column, basis }) => column === null || basis === "own_name");
  const hasCurrency = columns?.some(({ column }) => column === "currency_code");
  return currency !== undefined && isNamed === true && !hasCurrency;
};

function hintOn(first: Problem | undefined): string {
  if (first?.code === "currency_given_twice" || first?.code === "currency_not_available")
    return OTHER_CURRENCY;
  return first?.proposal ? CONFIRM_BY_HAND : "";
}

const tooLarge = ({ bytes }: ArrivedFile): string | null =>
  bytes > DEFAULT_FILE_LIMITS.bytesMax
    ? `a file can be at most ${DEFAULT_FILE_LIMITS.bytesMax} bytes`
    : null;

/** Timestamp in the new file name, because a refused file may arrive again under the same name. */
const stampOf = ({ clock }: OccurrenceDeps): string =>
  new Date(clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-");

/** Moves files away of which an earlier process created a batch before it was killed. */
async function moveUsedFiles(
  { id, day }: DueOccurrence,
  inbox: Inbox,
  files: readonly ArrivedFile[],
  deps: OccurrenceDeps,
): Promise<readonly ArrivedFile[]> {
  if (files.length === 0) return files;
  const taken = await deps.ledger.schedule.findUsedFiles(id);
  const old = files.filter(({ identity }) => taken.has(identity));
  for (const file of old) await moveFile(file, "done", `before ${day}`, inbox, deps);
  return files.filter((file) => !old.includes(file));
}

/**
 * Moves the file out of the way. If that fails, the file is still not read again, because the
 * ledger knows it.
 */
async function moveFile(
  file: ArrivedFile,
  where: "done" | "failed",
  label: string,
  inbox: Inbox,
  { log }: OccurrenceDeps,
): Promise<void> {
  try {
    await inbox.moveAway(file, where, label);
  } catch (error) {
    log.warn({ file: file.name, err: error }, "file could not be moved away");
  }
}
