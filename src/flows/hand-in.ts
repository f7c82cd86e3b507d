import { differencesFrom } from "#batch/control-totals.ts";
import type { HeldAsNumber } from "#batch/held-numbers.ts";
import { isBeforeApproval } from "#batch/lifecycle.ts";
import { totalsOf } from "#flows/approve.ts";
import { whyNobody, waitingFor } from "#ledger/approvals.ts";
import { heldAsNumbers } from "#ledger/batch-findings.ts";
import { type Batch, findBatch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import {
  describeBatch,
  type Described,
  lockBatch,
  noteEditor,
  readDescription,
  submitBatch,
} from "#ledger/submission.ts";
import { err, ok, type Result } from "#result.ts";

export interface Submission extends Described {
  readonly batchId: string;
  /** Goes on without the rejected rows. */
  readonly leaveOut: boolean;
  /** Somebody has compared what a spreadsheet held as a number with papers of their own. */
  readonly numbersCompared: boolean;
  readonly actor: string;
  readonly at: Date;
}

export type HandInRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "submitted_already" }
  | { readonly kind: "numbers_not_compared"; readonly held: readonly HeldAsNumber[] }
  /** In words, for whoever can do something about it. */
  | { readonly kind: "obstacles"; readonly obstacles: readonly string[] };

/** Hands a batch in for approval: as it was said to be, and only where somebody can approve it. */
export async function handIn(
  submission: Submission,
  database: Database,
): Promise<Result<true, HandInRefusal>> {
  const { batchId, leaveOut, numbersCompared, actor, at } = submission;
  return database.transaction().execute(async (transaction) => {
    const locked = await lockBatch(transaction, batchId);
    const batch = await findBatch(transaction, { id: batchId });
    if (!locked || !batch) return err({ kind: "not_found" });
    // What approvers have before them is not described anew.
    if (!isBeforeApproval(batch.state)) return err({ kind: "wrong_state", state: batch.state });
    if (locked.isSubmitted) return err({ kind: "submitted_already" });
    await describeBatch(transaction, batchId, submission);
    // Whoever says what the batch is, leaves rows out or hands it in stands behind it, as its maker does.
    if (actor !== batch.maker) await noteEditor(transaction, { batchId, actor, at });
    const obstacles = await obstaclesOf(transaction, batch, leaveOut);
    if (obstacles.length > 0) return err({ kind: "obstacles", obstacles });
    const compared = await heldAsNumbers(transaction, batchId);
    if (compared.length > 0 && !numbersCompared) {
      return err({ kind: "numbers_not_compared", held: compared });
    }
    // One that an approver gave back has no wrong row: it goes on as it is.
    const goOn = leaveOut || batch.rejected === 0;
    return (await submitBatch(transaction, { batchId, leaveOut: goOn, compared, actor, at }))
      ? ok(true)
      : err({ kind: "wrong_state", state: batch.state });
  });
}

/** Why the batch cannot be handed in as it stands; empty: it can. */
export async function obstaclesOf(
  database: Database,
  batch: Batch,
  leaveOut: boolean,
): Promise<string[]> {
  const { expected } = await readDescription(database, batch.id);
  const totals = [...totalsOf(batch).values()];
  const found = differencesFrom(expected, { rows: batch.rows, totals });
  if (batch.rejected === batch.rows) found.push("No row can be paid as it stands.");
  else if (batch.rejected > 0 && batch.state === "needs_correction" && !leaveOut) {
    const rows = batch.rejected === 1 ? "1 row is" : `${batch.rejected} rows are`;
    found.push(`${rows} wrong: repair them, or go on without them.`);
  }
  const [waiting] = await waitingFor(database, null, batch.id);
  const nobody = waiting ? whyNobody(waiting) : null;
  return nobody === null ? found : [...found, nobody];
}
