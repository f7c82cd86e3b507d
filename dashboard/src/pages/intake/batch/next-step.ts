import { isQuarantined, isSentBack } from "../../../base/state.ts";
import { isolateDirection } from "../../../base/text.ts";
import { uploaderOf } from "../../../components/payout/uploader.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { partCount } from "./status-sentence.ts";

const texts = messages.next;

const REVIEW = { kind: "review" } as const;

/** The reader of a batch page. */
export interface Reader {
  /** The recorded actor. */
  readonly actor: string;
  readonly mayUpload: boolean;
  readonly mayOperate: boolean;
}

/** The next action of a person on a batch, and whether the reader is such a person. */
export interface NextStep {
  /** Sentences that name the reader or the persons who can act. */
  readonly says: readonly string[];
  /** The button of the reader. Null: another person acts. */
  readonly button: StepButton | null;
}

/** A button that opens a dialog. */
export interface DialogButton {
  readonly dialog: "send" | "resume";
}

/** A button that opens a dialog or a page. */
export type StepButton =
  | DialogButton
  | { readonly kind: "file" | "approve" | "review" }
  | { readonly kind: "retry" | "on_hold" | "held_back"; readonly payouts: number };

/**
 * Returns the next step of a batch. Null: payrun acts alone, or an alert on the page says what to
 * do.
 *
 * @param retryable number of declined payouts that can be retried
 */
export function nextStepOf(batch: BatchView, reader: Reader, retryable: number): NextStep | null {
  const step = stepOf(batch, reader, retryable);
  if (step === null || !isQuarantined(batch)) return step;
  // The alert says that a person must release the batch first.
  return {
    says: [],
    button:
      step.button && "kind" in step.button && step.button.kind === "approve" ? REVIEW : step.button,
  };
}

function stepOf(batch: BatchView, reader: Reader, retryable: number): NextStep | null {
  switch (batch.state) {
    case "needs_correction":
      return correction(batch, reader);
    case "draft":
      return batch.you.request_approval.may
        ? { says: [texts.send], button: { dialog: "send" } }
        : { says: [texts.sendBy(uploaderOf(batch, reader.actor))], button: null };
    case "awaiting_approval":
      return approval(batch, reader);
    case "cancelled":
      return null;
    case "approved":
    case "paused":
    case "finished":
    case "finished_with_exceptions":
      return stopped(batch, reader) ?? retry(batch, reader, retryable);
  }
}

function correction(batch: BatchView, reader: Reader): NextStep | null {
  if (isSentBack(batch)) return reader.mayUpload ? { says: [], button: { kind: "file" } } : null;
  return reader.mayUpload
    ? { says: [texts.correct], button: { kind: "file" } }
    : { says: [texts.correctBy(uploaderOf(batch, reader.actor))], button: { kind: "review" } };
}

/** Alerts say what blocks an approval. */
function approval({ policy, you, maker, needs_duplicate_reason }: BatchView, reader: Reader) {
  if (needs_duplicate_reason || policy.blocked !== null) return { says: [], button: REVIEW };
  const more = policy.missing > 1 ? [texts.moreApprovals(policy.missing, policy.why)] : [];
  if (you.approve.may)
    return { says: [texts.approve, ...more], button: { kind: "approve" } as const };
  const approvers = policy.possible_approvers.map(isolateDirection);
  const hasApproved = policy.approvals.some(
    ({ live, user_id }) => live && `user:${user_id}` === reader.actor,
  );
  return {
    says: [
      texts.approveBy(approvers),
      ...(hasApproved ? [texts.approved] : []),
      ...(maker.actor === reader.actor ? [texts.notOwn] : []),
      ...more,
    ],
    button: REVIEW,
  };
}

/** Payouts that wait for an operator. */
function stopped(batch: BatchView, { mayOperate }: Reader): NextStep | null {
  const onHold = partCount(batch, "on_hold");
  const heldBack = partCount(batch, "held_back");
  if (batch.state === "paused") {
    return batch.you.resume.may
      ? { says: [texts.resume], button: { dialog: "resume" } }
      : mayOperate
        ? null
        : { says: [texts.resumeBy], button: null };
  }
  if (onHold > 0) {
    return mayOperate
      ? { says: [texts.onHold(onHold)], button: { kind: "on_hold", payouts: onHold } }
      : { says: [texts.onHoldBy(onHold)], button: null };
  }
  if (heldBack === 0) return null;
  return mayOperate
    ? { says: [texts.heldBack], button: { kind: "held_back", payouts: heldBack } }
    : { says: [texts.heldBackBy], button: null };
}

function retry(batch: BatchView, reader: Reader, payouts: number): NextStep | null {
  if (payouts === 0) return null;
  const isAll = payouts === partCount(batch, "declined");
  return reader.mayUpload
    ? { says: [texts.retry(payouts, isAll)], button: { kind: "retry", payouts } }
    : { says: [texts.retryBy(uploaderOf(batch, reader.actor), payouts, isAll)], button: null };
}
