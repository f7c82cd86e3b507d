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
  /** Returns why this person may not change the priority of the batch, or null. */
  readonly whyNotPrioritize: (batch: Batch) => string | null;
}

export interface ApprovalRequest extends BatchDescription, SendingOptions {
  readonly batchId: string;
  /** Continues without the rejected rows. */
  readonly leaveOut: boolean;
  /** A person has compared the values that a spreadsheet stored as numbers with their source. */
  readonly numbersCompared: boolean;
  /** Content digest of the batch as the sender saw it. Undefined: not stated. */
  readonly contentDigest?: string | undefined;
  readonly actor: string;
  readonly at: Date;
}

export type RequestApprovalRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "approval_already_requested" }
  | { readonly kind: "content_changed" }
  | { readonly kind: "forbidden"; readonly why: string }
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
  const { batchId, leaveOut, numbersCompared, contentDigest, actor, at } = submission;
  const locked = await transaction.intake.lockBatch(batchId);
  const batch = await transaction.payout.findBatch({ id: batchId });
  if (!locked || !batch) throw new Refused({ kind: "not_found" });
  // The description of a batch that approvers already see is not changed.
  if (!isBeforeApproval(batch.state))
    throw new Refused({ kind: "wrong_state", state: batch.state });
  // A batch from the command line can have approvals before it is sent for approval.
  if (locked.isSentForApproval || (await transaction.approval.hasLiveApproval(batchId)))
    throw new Refused({ kind: "approval_already_requested" });
  if (contentDigest !== undefined && contentDigest !== batch.contentDigest)
    throw new Refused({ kind: "content_changed" });
  const current = await sendingOptionsOf(batch, transaction);
  const refusals = refusedOptions(submission, batch, current);
  if (refusals.priority !== null) throw new Refused({ kind: "forbidden", why: refusals.priority });
  if (refusals.canary !== null)
    throw new Refused({ kind: "obstacles", obstacles: [refusals.canary] });
  await transaction.intake.describeBatch(submission);
  await applySendingOptions(
    { ...submission, reason: "set with the request for approval" },
    current,
    transaction,
  );
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

interface CurrentOptions {
  readonly canary: number;
  readonly priority: Priority;
}

const sendingOptionsOf = async (batch: Batch, ledger: LedgerSteps): Promise<CurrentOptions> => ({
  canary: await ledger.payout.findRequestedCanary(batch.id),
  priority: batch.priority,
});

/**
 * Returns why the canary or the priority is not changed, or null. An uploader cannot lower a
 * canary, because an approver may have set it.
 */
const refusedOptions = (
  { canary, priority, whyNotPrioritize }: SendingOptions,
  batch: Batch,
  current: CurrentOptions,
) => ({
  canary:
    canary !== undefined && canary < current.canary
      ? `The canary is set to ${current.canary}. Only an approver can lower it.`
      : null,
  priority:
    priority !== undefined && priority !== current.priority ? whyNotPrioritize(batch) : null,
});

/** Records the canary and the priority, if they were stated and differ from the current ones. */
async function applySendingOptions(
  said: Omit<SendingOptions, "whyNotPrioritize"> & {
    readonly batchId: string;
    readonly reason: string;
    readonly actor: string;
  },
  current: CurrentOptions,
  transaction: LedgerSteps,
): Promise<void> {
  const { batchId, reason, actor, canary, priority } = said;
  if (canary !== undefined && canary !== current.canary)
    await transaction.payout.setCanary({ batchId, payouts: canary, actor });
  if (priority !== undefined && priority !== current.priority)
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
   * Statements that were not applied, because the batch had already been sent for approval or
   * approved, or because the person may not change the value: one sentence each.
   */
  readonly notApplied: readonly string[];
}

export const NO_DIFFERENCES: ReuploadResult = { differences: [], notApplied: [] };

/**
 * Records a repeated upload of a known file. The person counts as an uploader as well, and their
 * statements apply until the batch is sent for approval or has an approval. After that the batch is
 * unchanged, and the person is shown what remains.
 */
export async function recordReupload(said: Reupload, ledger: LedgerSteps): Promise<ReuploadResult> {
  const { batchId, actor, at, expected } = said;
  return ledger.transaction(async (transaction) => {
    await transaction.intake.recordReuploader({ batchId, actor, at });
    const locked = await transaction.intake.lockBatch(batchId);
    const batch = await transaction.payout.findBatch({ id: batchId });
    if (!locked || !batch) return NO_DIFFERENCES;
    if (
      locked.isSentForApproval ||
      !isBeforeApproval(batch.state) ||
      (await transaction.approval.hasLiveApproval(batchId))
    ) {
      const found = { rows: batch.rows, totals: [...totalsOf(batch).values()] };
      const differences = differencesFrom(expected, found);
      return { differences, notApplied: await valuesNotApplied(said, batch, transaction) };
    }
    await transaction.intake.describeBatch(said);
    const current = await sendingOptionsOf(batch, transaction);
    const refusals = refusedOptions(said, batch, current);
    const applied = {
      canary: refusals.canary === null ? said.canary : undefined,
      priority: refusals.priority === null ? said.priority : undefined,
    };
    const reason = "set on re-upload";
    await applySendingOptions({ ...applied, batchId, reason, actor }, current, transaction);
    const notApplied = Object.values(refusals).filter((refusal) => refusal !== null);
    return { differences: [], notApplied };
  });
}

/** The statements about a batch that is not changed, where they differ from its current values. */
async function valuesNotApplied(
  said: Reupload,
  batch: Batch,
  ledger: LedgerSteps,
): Promise<string[]> {
  const { name, purpose } = await ledger.intake.readDescription(batch.id);
  const stands = { name, purpose, ...(await sendingOptionsOf(batch, ledger)) };
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
  // The uploader's own records may lack the rows that are left out.
  const valid = batch.rows - batch.rejected;
  const rows = leaveOut && expected.rows === valid ? valid : batch.rows;
  const found = differencesFrom(expected, { rows, totals });
  if (batch.rejected === batch.rows) found.push("No row can be paid: every row has an error.");
  else if (batch.rejected > 0 && batch.state === "needs_correction" && !leaveOut) {
    const [faulty, them] =
      batch.rejected === 1 ? ["1 row has", "it"] : [`${batch.rejected} rows have`, "them"];
    found.push(`${faulty} errors: correct ${them}, or continue without ${them}.`);
  }
  const [waiting] = await ledger.approval.findWaitingBatches(null, batch.id);
  const nobody = waiting ? whyApprovalsMissing(waiting) : null;
  return nobody === null ? found : [...found, nobody];
}
