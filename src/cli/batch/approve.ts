import { printable } from "#base/invisible-characters.ts";
import type { ApprovalProblem } from "#approval/approval.ts";
import type { LimitsExceeded } from "#approval/payout-limits.ts";
import { type ExactDuplicates, describeExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import { laneParts } from "#payout/payout.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { quarantineText } from "#cli/terminal/frozen.ts";
import { currentActor, plural, say, table } from "#cli/terminal/output.ts";
import { askTotals, missingTotals, readTotals } from "#cli/terminal/totals.ts";
import {
  approve,
  type ApproveOptions,
  type ApproveRefusal,
  describeLimitsExceeded,
  totalsOf,
} from "#flows/approval/approve.ts";
import type { Batch } from "#ledger/ledger.ts";
import { err, type Result } from "#base/result.ts";

/**
 * Approves a batch with the totals that were given, or asks for them on a terminal. Err: another
 * person or process changed the batch first.
 *
 * @throws CliError if the totals are missing or wrong.
 */
export async function approveWithTotals(
  batch: Batch,
  given: readonly string[],
  how: ApproveOptions,
): Promise<Result<true, Extract<ApproveRefusal, { kind: "not_found" | "wrong_state" }>>> {
  if (batch.peopleNeeded > 1) throw morePeople(batch.id, batch.peopleWhy);
  const expected = totalsOf(batch);
  const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (given.length === 0 && !terminal) throw missingTotals(batch.id, [...expected.keys()]);
  if (given.length === 0) say(summaryOf(batch));
  const totals = given.length > 0 ? readTotals(given, expected) : await askTotals(expected);
  const approval = { actor: currentActor(), contentDigest: batch.contentDigest, totals };
  const approved = await approve(batch.id, approval, { ...how, seen: batch.state });
  if (approved.ok) return approved;
  const refused = approved.error;
  switch (refused.kind) {
    case "not_found":
    case "wrong_state":
      return err(refused);
    case "refused":
      throw refusal(refused.problems, batch.id);
    case "more_people":
      throw morePeople(batch.id, refused.why);
    case "exact_duplicates":
      throw repeated(batch.id, refused.duplicates);
    case "quarantined":
      throw new CliError(EXIT.heldOrInDoubt, quarantineText(batch.id, refused.causes));
    case "limit_reached":
      throw pastLimit(batch.id, refused);
  }
}

/**
 * Describes what is about to be approved, without the totals, which must come from the approver's
 * own system.
 */
export function summaryOf({ id, name, fileName, rows, rejected, lanes, priority }: Batch): string {
  const left = rejected > 0 ? `, ${rejected} left out` : "";
  const parts = lanes.map(({ lane, rows: payouts }) => {
    const { merchantCode, currency } = laneParts(lane);
    return [`  ${currency}`, plural(payouts, "payout"), `from merchant ${merchantCode}`];
  });
  return [
    `Batch ${id}: ${printable(name ?? fileName)}, ${plural(rows, "row")}${left}`,
    table(parts, new Set([1])),
    ...(priority === "normal" ? [] : [`Priority: ${priority}`]),
    "To approve the batch, enter each total from your own records, not from the file.",
  ].join("\n");
}

/** Totals given for a batch that is already approved must equal the approved ones. */
export function checkTotals(batch: Batch, given: readonly string[]): void {
  const expected = totalsOf(batch);
  for (const [currency, { minor, minorDigits }] of readTotals(given, expected)) {
    const approved = expected.get(currency);
    if (approved?.minor !== minor || approved.minorDigits !== minorDigits) {
      throw new CliError(
        EXIT.notAllowed,
        `This file was already uploaded as batch ${batch.id}, which was approved with a different ${currency} total. No changes were made. To continue with the approved batch, omit --total.`,
      );
    }
  }
}

const APPROVAL_PROBLEM_TEXTS: Readonly<Record<ApprovalProblem["code"], string>> = {
  total_differs: "the total you entered differs from the file's total",
  total_missing: "no total was entered",
  total_of_no_row: "you entered a total, but the file has no payouts in this currency",
  content_changed: "the batch has changed since it was shown",
};

function refusal(problems: readonly ApprovalProblem[], batchId: string): CliError {
  const said = problems.map(
    ({ code, currency }) => `  ${currency ?? "batch"}: ${APPROVAL_PROBLEM_TEXTS[code]}`,
  );
  return new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved:\n${said.join("\n")}\nNo payouts were sent. Compare the file with its source, then enter the correct totals.`,
  );
}

const pastLimit = (batchId: string, refused: LimitsExceeded): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved:\n  ${describeLimitsExceeded(refused).join("\n  ")}\n${refused.uncovered.length > 0 ? "To query the balance at the gateway: payrun limit headroom --query\n" : ""}No payouts were sent.`,
  );

const repeated = (batchId: string, repeats: readonly ExactDuplicates[]): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved: it contains exact duplicates of payouts in other batches.\n  ${repeats.map(describeExactDuplicates).join("\n  ")}\n${
      repeats.every(({ isAllowed }) => isAllowed)
        ? "You allowed the duplicates, so another person must approve the batch on the dashboard (payrun serve), under Approvals."
        : `If the duplicates are intentional, give the reason: payrun batch allow-duplicates ${batchId} --reason TEXT. Another person must then approve the batch.`
    } No payouts were sent.`,
  );

/** The command line acts as one person and cannot replace a second approver. */
const morePeople = (batchId: string, why: string): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved here: ${why}. An approver who did not upload or edit the batch can approve it on the dashboard (payrun serve), under Approvals. No payouts were sent.`,
  );
