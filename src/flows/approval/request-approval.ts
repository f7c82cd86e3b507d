import { differencesFrom } from "#intake/batch/control-totals.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { StoredAsNumber } from "#intake/workbook/numeric-accounts.ts";
import { isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Priority } from "#payout/priority.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { whyApprovalsMissing } from "#ledger/approval/waiting-batches.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import type { BatchDescription } from "#ledger/intake/batch-description.ts";
import { err, ok, type Result } from "#base/result.ts";

/** How a batch is sent, as given by its uploader. Undefined: not stated. */
interface SendingOptions {
  /** Number of payouts of each lane that are sent first. */
  readonly canary?: number | undefined;
  readonly priority?: Priority | undefined;
}

export interface ApprovalRequest extends BatchDescription, SendingOptions {
  readonly batchId: string;
  /** Continues without the rejected rows. */
  readonly leaveOut: boolean;
  /** A person has compared the values that a spreadsheet stored as numbers with their source. */
  readonly numbersCompared: boolean;
  readonly actor: string;
  readonly at: Date;
}

export type RequestApprovalRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "approval_already_requested" }
  | { readonly kind: "numbers_not_compared"; readonly held: readonly StoredAsNumber[] }
  /** The obstacles, in sentences for the person who can remove them. */
  | { readonly kind: "obstacles"; readonly obstacles: readonly string[] };

/** Thrown to roll back the changes that the request for approval has written. */
class Refused extends Error {
  readonly refusal: RequestApprovalRefusal;

  constructor(refusal: RequestApprovalRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/**
 * Sends a batch for approval, if it matches its description and somebody can approve it. A refused
 * request records neither the description nor the person as an editor.
 */
export async function requestApproval(
  submission: ApprovalRequest,
  ledger: LedgerSteps,
): Promise<Result<true, RequestApprovalRefusal>> {
  try {
    await ledger.transaction((transaction) => requestInTransaction(submission, transaction));
    return ok(true);
  } catch (error) {
    if (error instanceof Refused) return err(error.refusal);
    throw error;
  }
}

/** @throws Refused */
async function requestInTransaction(
  submission: ApprovalRequest,
  transaction: LedgerSteps,
): Promise<void> {
  const { batchId, leaveOut, numbersCompared, actor, at } = submission;
  const locked = await transaction.intake.lockBatch(batchId);
  const batch = await transaction.payout.findBatch({ id: batchId });
  if (!locked || !batch) throw new Refused({ kind: "not_found" });
  // The description of a batch that approvers already see is not changed.
  if (!isBeforeApproval(batch.state))
    throw new Refused({ kind: "wrong_state", state: batch.state });
  if (locked.isSentForApproval) throw new Refused({ kind: "approval_already_requested" });
  await transaction.intake.describeBatch(submission);
  await applySendingOptions(submission, batch, "set with the request for approval", transaction);
  // A person who describes the batch, leaves rows out or sends it for approval counts as an editor,
  // like its maker.
  if (actor !== batch.maker) await transaction.intake.recordEditor({ batchId, actor, at });
  const obstacles = await obstaclesOf(transaction, batch, leaveOut);
  if (obstacles.length > 0) throw new Refused({ kind: "obstacles", obstacles });
  const compared = await transaction.intake.storedAsNumbers(batchId);
  if (compared.length > 0 && !numbersCompared) {
    throw new Refused({ kind: "numbers_not_compared", held: compared });
  }
  // A batch that an approver sent back has no rejected rows and continues as it is.
  const goOn = leaveOut || batch.rejected === 0;
  if (
    !(await transaction.intake.markSentForApproval({
      batchId,
      leaveOut: goOn,
      compared,
      actor,
      at,
    }))
  )
    throw new Refused({ kind: "wrong_state", state: batch.state });
}

/** Records the canary and the priority, if they were stated. */
async function applySendingOptions(
  said: SendingOptions & { readonly batchId: string; readonly actor: string },
  batch: Batch,
  reason: string,
  transaction: LedgerSteps,
): Promise<void> {
  const { batchId, actor, canary, priority } = said;
  if (canary !== undefined) await transaction.payout.setCanary({ batchId, payouts: canary, actor });
  if (priority !== undefined && priority !== batch.priority)
    await transaction.payout.setPriority({ batchId, priority, reason, actor });
}

/** The statements about a batch by a person who uploads a file that is already in the ledger. */
interface Reupload extends BatchDescription, SendingOptions {
  readonly batchId: string;
  readonly actor: string;
  readonly at: Date;
}

export interface ReuploadResult {
  /** Expected values that the batch does not match. */
  readonly differences: readonly string[];
  /**
   * Statements that were not applied, because the batch had already been sent for approval: one
   * sentence each.
   */
  readonly notApplied: readonly string[];
}

export const NO_DIFFERENCES: ReuploadResult = { differences: [], notApplied: [] };

/**
 * Records a repeated upload of a known file. The person counts as an uploader as well, and their
 * statements apply until the batch is sent for approval. After that the batch is unchanged, and the
 * person is shown what remains.
 */
export async function recordReupload(said: Reupload, ledger: LedgerSteps): Promise<ReuploadResult> {
  const { batchId, actor, at, expected } = said;
  return ledger.transaction(async (transaction) => {
    await transaction.intake.recordReuploader({ batchId, actor, at });
    const locked = await transaction.intake.lockBatch(batchId);
    const batch = await transaction.payout.findBatch({ id: batchId });
    if (!locked || !batch) return NO_DIFFERENCES;
    if (locked.isSentForApproval || !isBeforeApproval(batch.state)) {
      const found = { rows: batch.rows, totals: [...totalsOf(batch).values()] };
      const differences = differencesFrom(expected, found);
      return { differences, notApplied: await valuesNotApplied(said, batch, transaction) };
    }
    await transaction.intake.describeBatch(said);
    await applySendingOptions(said, batch, "set on re-upload", transaction);
    return NO_DIFFERENCES;
  });
}

/** The statements about a batch that is not changed, where they differ from its current values. */
async function valuesNotApplied(
  said: Reupload,
  batch: Batch,
  ledger: LedgerSteps,
): Promise<string[]> {
  const { name, purpose } = await ledger.intake.readDescription(batch.id);
  const canary = await ledger.payout.findRequestedCanary(batch.id);
  const stands = { name, purpose, canary, priority: batch.priority };
  return (["name", "purpose", "canary", "priority"] as const).flatMap((word) => {
    const wanted = said[word] ?? null;
    const standing = stands[word];
    if (wanted === null || wanted === standing) return [];
    const label = word === "canary" ? "canary size" : word;
    return `The batch can no longer be changed, so its ${label} remains ${standing ?? "empty"}.`;
  });
}

/**
 * Returns the reasons why the batch cannot be sent for approval in its current state. Empty: it can
 * be.
 */
export async function obstaclesOf(
  ledger: LedgerSteps,
  batch: Batch,
  leaveOut: boolean,
): Promise<string[]> {
  const { expected } = await ledger.intake.readDescription(batch.id);
  const totals = [...totalsOf(batch).values()];
  const found = differencesFrom(expected, { rows: batch.rows, totals });
  if (batch.rejected === batch.rows) found.push("No row can be paid: every row has an error.");
  else if (batch.rejected > 0 && batch.state === "needs_correction" && !leaveOut) {
    const [rows, them] =
      batch.rejected === 1 ? ["1 row has", "it"] : [`${batch.rejected} rows have`, "them"];
    found.push(`${rows} errors: correct ${them}, or continue without ${them}.`);
  }
  const [waiting] = await ledger.approval.findWaitingBatches(null, batch.id);
  const nobody = waiting ? whyApprovalsMissing(waiting) : null;
  return nobody === null ? found : [...found, nobody];
}
