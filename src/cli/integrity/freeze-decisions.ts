import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { timeText } from "#base/time-text.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { ask, hasTerminal } from "#cli/terminal/prompt.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  type LostBatch,
  findLostBatches,
  type UndecidedBatch,
  findUndecidedBatches,
} from "#ledger/intake/quarantine.ts";
import { doesMemoryCoverGap } from "#ledger/integrity/since-freeze.ts";
import { moneyText } from "#money/display.ts";

/** The options for batches in quarantine and lost files. */
export interface DecisionFlags {
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
  /** Start of this machine's record of files kept outside the ledger. Null: it has none. */
  readonly memorySince: Date | null;
}

/**
 * Lists what the restored ledger may pay twice, and collects a decision about each item: from the
 * options, or else from a person on the terminal.
 *
 * @throws CliError if a decision is missing.
 */
export async function decide(flags: DecisionFlags, gap: Gap): Promise<Decisions> {
  const { release = [], keep = [], acknowledgeLost = [], withoutMemory = false } = flags;
  const undecided = await findUndecidedBatches(gap.database);
  const lost = await findLostBatches(gap.database, "unacknowledged");
  const isCovered = await doesMemoryCoverGap(gap.database, gap.memorySince, gap.since);
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
      (await confirmsLost(batch))
    ) {
      decisions.acknowledge.push(batch.batchId);
    } else missing.push(`--acknowledge-lost ${batch.batchId}   (${printable(batch.fileName)})`);
  }
  for (const { batchId, fileName } of undecided) {
    if (release.includes(batchId) || keep.includes(batchId)) continue;
    const said = await releaseOrKeep(batchId, fileName);
    if (said) decisions[said].push(batchId);
    else missing.push(`--keep ${batchId} or --release ${batchId}   (${printable(fileName)})`);
  }
  if (!isCovered && !withoutMemory && !(await confirmsWithoutMemory()))
    missing.push("--without-memory");
  if (missing.length > 0) {
    throw new CliError(
      EXIT.usage,
      `The ledger stays frozen. Each of these requires its own decision; --yes is not enough:\n  ${missing.join("\n  ")}\nBefore you release a batch, compare its payouts with the gateway's records: once released, it can be approved and sent. Batches specified with --keep stay in quarantine.`,
    );
  }
  return decisions;
}

/** A decision about a batch that is not listed is a mistake. */
function refuseStrangers(undecided: readonly UndecidedBatch[], named: readonly string[]): void {
  for (const id of named) {
    if (!undecided.some(({ batchId }) => batchId === id)) {
      throw new CliError(
        EXIT.usage,
        `Batch ${id} is not waiting for a quarantine decision. No changes were made.`,
      );
    }
    if (named.indexOf(id) !== named.lastIndexOf(id)) {
      throw new CliError(EXIT.usage, `Batch ${id} is specified twice. No changes were made.`);
    }
  }
}

const totalsText = (totals: LostBatch["totals"]): string =>
  Object.entries(totals)
    .map(([currency, amount]) => moneyText({ currency, amount }))
    .join(", ");

const lostLines = (lost: readonly LostBatch[]): string[] =>
  lost.length === 0
    ? []
    : [
        `Files that may have been paid but are missing from this ledger (${lost.length}):`,
        ...lost.map(
          ({ batchId, fileName, takenInAt, rows, totals, host }) =>
            `  ${printable(fileName)}  batch ${batchId}  uploaded ${timeText(takenInAt)}  ${plural(rows, "payout")}  ${totalsText(totals)}  (recorded by ${printable(host)})`,
        ),
      ];

const undecidedLines = (undecided: readonly UndecidedBatch[]): string[] =>
  undecided.length === 0
    ? []
    : [
        "Batches in quarantine, because they may repeat payouts from the lost history:",
        ...undecided.map(
          ({ batchId, fileName, arrivedAt, rows, maker }) =>
            `  ${printable(fileName)}  batch ${batchId}  created ${timeText(arrivedAt)}  ${plural(rows, "payout")}  by ${printable(maker)}`,
        ),
      ];

/** Describes what is known about the files of the gap, and what is not. */
function memoryText(since: Date | null, isCovered: boolean): string {
  if (isCovered && since) {
    return `This machine has a record of every batch it has handled since ${timeText(since)}. Batches handled only by other machines will be listed once payrun has run on those machines after the freeze.`;
  }
  const known = since
    ? `This machine's record of uploaded files, which is kept outside the ledger, begins at ${timeText(since)}, after the last record in this ledger`
    : "This machine has no record of uploaded files outside the ledger";
  return `${known}. If a file that was paid in the lost history is uploaded again, payrun cannot recognise it, either by its content or by its payouts. Only the gateway's records from that time show what was paid. Compare every file with those records before uploading it.`;
}

async function confirmsLost({ batchId, fileName }: LostBatch): Promise<boolean> {
  if (!hasTerminal()) return false;
  const answer = await ask(
    `${printable(fileName)} (batch ${batchId}) is missing from this ledger. To acknowledge this, type the batch ID: `,
  );
  return answer === batchId;
}

async function releaseOrKeep(
  batchId: string,
  fileName: string,
): Promise<"release" | "keep" | null> {
  if (!hasTerminal()) return null;
  const answer = await ask(
    `Batch ${batchId} (${printable(fileName)}): type "keep", or "release ${batchId}" if you know that the batch was not paid: `,
  );
  if (answer === "keep") return "keep";
  return answer === `release ${batchId}` ? "release" : null;
}

async function confirmsWithoutMemory(): Promise<boolean> {
  if (!hasTerminal()) return false;
  return (
    (await ask('Type "without memory" to confirm that you have compared the records: ')) ===
    "without memory"
  );
}
