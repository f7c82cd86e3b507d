import { drawn } from "#batch/visible.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { plural, say } from "#cli/output.ts";
import { ask, hasTerminal } from "#cli/question.ts";
import type { Database } from "#ledger/database.ts";
import {
  type LostBatch,
  lostBatches,
  type Undecided,
  undecidedBatches,
} from "#ledger/quarantine.ts";
import { coversGap } from "#ledger/since-freeze.ts";

/** The options for batches in quarantine and lost files. */
export interface Decided {
  readonly release?: readonly string[];
  readonly keep?: readonly string[];
  readonly acknowledgeLost?: readonly string[];
  readonly withoutMemory?: boolean;
}

interface Decisions {
  readonly release: readonly string[];
  readonly keep: readonly string[];
  readonly acknowledge: readonly string[];
}

interface Gap {
  readonly database: Database;
  readonly since: Date;
  /** Start of this machine's restore memory. Null: it has none. */
  readonly memorySince: Date | null;
}

/**
 * Lists what the restored ledger may pay twice, and collects a decision about each item: from the
 * options, or else from a person on the terminal.
 *
 * @throws CliError if a decision is missing.
 */
export async function decide(flags: Decided, gap: Gap): Promise<Decisions> {
  const { release = [], keep = [], acknowledgeLost = [], withoutMemory = false } = flags;
  const undecided = await undecidedBatches(gap.database);
  const lost = await lostBatches(gap.database, "unacknowledged");
  const isCovered = await coversGap(gap.database, gap.memorySince, gap.since);
  for (const line of [
    ...lostLines(lost),
    ...undecidedLines(undecided),
    memoryText(gap.memorySince, isCovered),
  ]) {
    say(line);
  }
  refuseStrangers(undecided, [...release, ...keep]);

  const decisions = { release: [...release], keep: [...keep], acknowledge: [] as string[] };
  const missing: string[] = [];
  for (const batch of lost) {
    if (
      acknowledgeLost.some((name) => name === batch.fileName || name === batch.batchId) ||
      (await acknowledges(batch))
    ) {
      decisions.acknowledge.push(batch.batchId);
    } else missing.push(`--acknowledge-lost ${batch.batchId}   (${drawn(batch.fileName)})`);
  }
  for (const { batchId, fileName } of undecided) {
    if (release.includes(batchId) || keep.includes(batchId)) continue;
    const said = await releaseOrKeep(batchId, fileName);
    if (said) decisions[said].push(batchId);
    else missing.push(`--keep ${batchId} or --release ${batchId}   (${drawn(fileName)})`);
  }
  if (!isCovered && !withoutMemory && !(await acceptsNoMemory())) missing.push("--without-memory");
  if (missing.length > 0) {
    throw new CliError(
      EXIT.usage,
      `It stays frozen: somebody has to decide about each of these. --yes does not.\n  ${missing.join("\n  ")}\nA released batch can be approved and sent: compare its payouts with the gateway's records first. A batch that is kept stays in quarantine.`,
    );
  }
  return decisions;
}

/** A decision about a batch that is not listed is a mistake. */
function refuseStrangers(undecided: readonly Undecided[], named: readonly string[]): void {
  for (const id of named) {
    if (!undecided.some(({ batchId }) => batchId === id)) {
      throw new CliError(
        EXIT.usage,
        `Batch ${id} does not wait for a decision about its quarantine.`,
      );
    }
    if (named.indexOf(id) !== named.lastIndexOf(id)) {
      throw new CliError(EXIT.usage, `Batch ${id} is named twice.`);
    }
  }
}

const totalsText = (totals: LostBatch["totals"]): string =>
  Object.entries(totals)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(", ");

const lostLines = (lost: readonly LostBatch[]): string[] =>
  lost.length === 0
    ? []
    : [
        `${plural(lost.length, "file")} that this ledger has forgotten, and that may have been paid:`,
        ...lost.map(
          ({ batchId, fileName, takenInAt, rows, totals, host }) =>
            `  ${drawn(fileName)}  batch ${batchId}  taken in ${takenInAt.toISOString()}  ${plural(rows, "payout")}  ${totalsText(totals)}  (remembered by ${drawn(host)})`,
        ),
      ];

const undecidedLines = (undecided: readonly Undecided[]): string[] =>
  undecided.length === 0
    ? []
    : [
        "In quarantine, because they may pay what was paid in the lost history:",
        ...undecided.map(
          ({ batchId, fileName, arrivedAt, rows, maker }) =>
            `  ${drawn(fileName)}  batch ${batchId}  arrived ${arrivedAt.toISOString()}  ${plural(rows, "payout")}  by ${drawn(maker)}`,
        ),
      ];

/** Describes what is known about the files of the gap, and what is not. */
function memoryText(since: Date | null, isCovered: boolean): string {
  if (isCovered && since) {
    return `This machine remembers every batch that it has handled since ${since.toISOString()}. Batches that only other machines have handled are listed once payrun has run there since the freeze.`;
  }
  const known = since
    ? `The restore memory of this machine was begun at ${since.toISOString()}, after the last thing that this ledger knows of`
    : "This machine keeps no restore memory";
  return `${known}. Files that were paid between the two are not recognised when they come in again: not by their bytes, and not by their payouts. Only the gateway's records of that time tell which they are. Compare them before any such file comes in.`;
}

async function acknowledges({ batchId, fileName }: LostBatch): Promise<boolean> {
  if (!hasTerminal()) return false;
  const answer = await ask(
    `This ledger has forgotten ${drawn(fileName)} (batch ${batchId}). Type its batch id to say that you know: `,
  );
  return answer === batchId;
}

async function releaseOrKeep(
  batchId: string,
  fileName: string,
): Promise<"release" | "keep" | null> {
  if (!hasTerminal()) return null;
  const answer = await ask(
    `Batch ${batchId} (${drawn(fileName)}): type keep, or release ${batchId} when you know that it was not paid: `,
  );
  if (answer === "keep") return "keep";
  return answer === `release ${batchId}` ? "release" : null;
}

async function acceptsNoMemory(): Promise<boolean> {
  if (!hasTerminal()) return false;
  return (
    (await ask("Type without memory to say that you have compared the records: ")) ===
    "without memory"
  );
}
