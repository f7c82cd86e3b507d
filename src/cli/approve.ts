import type { ApprovalProblem } from "#batch/approval.ts";
import type { PastLimits } from "#batch/money-limits.ts";
import { type Repeat, sayRepeat } from "#batch/repeats.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { quarantineText } from "#cli/frozen.ts";
import { actor } from "#cli/output.ts";
import { askTotals, missingTotals, readTotals } from "#cli/totals.ts";
import {
  approve,
  type ApproveOptions,
  type ApproveRefusal,
  sayPastLimits,
  totalsOf,
} from "#flows/approve.ts";
import type { Batch } from "#ledger/ledger.ts";
import { err, type Result } from "#result.ts";

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
  const totals = given.length > 0 ? readTotals(given, expected) : await askTotals(expected);
  const approval = { actor: actor(), contentDigest: batch.contentDigest, totals };
  const approved = await approve(batch.id, approval, how);
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
    case "repeats_payments":
      throw repeated(batch.id, refused.repeats);
    case "quarantined":
      throw new CliError(EXIT.heldOrInDoubt, quarantineText(batch.id, refused.causes));
    case "limit_reached":
      throw pastLimit(batch.id, refused);
  }
}

/** Totals given for a batch that is already approved must equal the approved ones. */
export function checkTotals(batch: Batch, given: readonly string[]): void {
  const expected = totalsOf(batch);
  for (const [currency, { minor, minorDigits }] of readTotals(given, expected)) {
    const approved = expected.get(currency);
    if (approved?.minor !== minor || approved.minorDigits !== minorDigits) {
      throw new CliError(
        EXIT.notAllowed,
        `This file is batch ${batch.id}, which was approved with another ${currency} total than the one given. Nothing was done; what was approved goes on without --total.`,
      );
    }
  }
}

const SENTENCES: Readonly<Record<ApprovalProblem["code"], string>> = {
  total_differs: "the total given differs from the total of the file",
  total_missing: "the total is not given",
  total_of_no_row: "a total is given, but the file pays nothing in it",
  content_changed: "the batch is not what was shown",
};

function refusal(problems: readonly ApprovalProblem[], batchId: string): CliError {
  const said = problems.map(({ code, currency }) => `  ${currency ?? "batch"}: ${SENTENCES[code]}`);
  return new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} is not approved:\n${said.join("\n")}\nNothing was sent. Compare the file with its source, then give the right totals.`,
  );
}

const pastLimit = (batchId: string, refused: PastLimits): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} is not approved:\n  ${sayPastLimits(refused).join("\n  ")}\n${refused.uncovered.length > 0 ? "Ask the gateway for the balance with: payrun limit headroom --ask\n" : ""}Nothing was sent.`,
  );

const repeated = (batchId: string, repeats: readonly Repeat[]): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} is not approved: it pays again what another batch pays.\n  ${repeats.map(sayRepeat).join("\n  ")}\n${
      repeats.every(({ isAllowed }) => isAllowed)
        ? "It was you who has said why that is right: somebody else has to approve it, on the dashboard of payrun serve, under Approvals."
        : `If that is right, say why: payrun batch allow-repeats ${batchId} --reason TEXT. Somebody else approves it then.`
    } Nothing was sent.`,
  );

/** The command line acts as one person and cannot replace a second approver. */
const morePeople = (batchId: string, why: string): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} is not approved here: ${why}. Approvers who did not make it approve it on the dashboard of payrun serve, under Approvals. Nothing was sent.`,
  );
