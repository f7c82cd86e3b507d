import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type FailureKey,
  auditObjectOf,
  type AssignmentSubject,
} from "#ledger/operations/failure-assignments.ts";
import {
  type FailingState,
  failingState,
  maySnooze,
  SNOOZE_DAYS_MAX,
} from "#payout/failure-explanations.ts";
import { causeText } from "#payout/reasons.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * Assigning, commenting and snoozing never change a payout: they record who handles it, and when
 * its line is shown again.
 */
interface AssignmentDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Clock;
}

export type FailureRef = { readonly cause: FailureKey } | { readonly code: string };

type Unknown = "not_found" | "wrong_state";
type Found = {
  readonly subject: AssignmentSubject;
  readonly state: FailingState;
  readonly updatedAt: Date;
};

async function findFailure(
  asked: FailureRef,
  ledger: LedgerSteps,
): Promise<Result<Found, Unknown>> {
  if ("cause" in asked) {
    const { cause } = asked;
    if (!(await ledger.operations.hasPayouts(cause))) return err("not_found");
    return ok({ subject: { cause }, state: cause.state, updatedAt: new Date(0) });
  }
  const { code } = asked;
  const payout = await ledger.operations.findPayoutVersion(code);
  if (!payout) return err("not_found");
  const { payoutId, updatedAt } = payout;
  const state = failingState(payout.state, payout.reason);
  return state ? ok({ subject: { code, payoutId }, state, updatedAt }) : err("wrong_state");
}

export interface Assignment {
  /** Null: nobody. */
  readonly to: string | null;
  /** The assignee that the person saw. Null: nobody. Undefined: any. */
  readonly from?: string | null | undefined;
  readonly actor: string;
}

/** Assigns a failure group or a payout to a user who can sign in, or to nobody. */
export async function assignFailure(
  asked: FailureRef,
  { to, from, actor }: Assignment,
  { ledger, clock }: AssignmentDeps,
): Promise<Result<true, Unknown | "no_such_user" | "user_disabled" | "in_other_hands">> {
  const found = await findFailure(asked, ledger);
  if (!found.ok) return found;
  const account = to === null ? null : await ledger.people.findAccount({ id: to });
  if (to !== null && !account) return err("no_such_user");
  if (account?.isDisabled) return err("user_disabled");
  const { subject } = found.value;
  return ledger.transaction(async (transaction) => {
    const object = auditObjectOf(subject);
    const known = await transaction.operations.findAssignments([object]);
    const before = known.get(object)?.assignedTo?.id ?? null;
    if (!(await transaction.operations.setAssignee(subject, { to, from })))
      return err("in_other_hands");
    const facts = { to: to === null ? null : `user:${to}` };
    const line: AuditLine = { actor, action: "assign", object, facts };
    const at = new Date(clock.nowMs());
    if (to !== before)
      await transaction.notification.createAssignmentNotice({
        ...describe(subject),
        to: facts.to,
        actor,
        at,
      });
    await transaction.integrity.appendAudit(at, line);
    return ok(true);
  });
}

/** Names what was assigned, for the notification of its assignee. */
function describe(subject: AssignmentSubject) {
  if (!("cause" in subject))
    return { kind: "payout" as const, object: subject.code, what: `payout ${subject.code}` };
  const { state, reason } = subject.cause;
  const cause = reason === null ? "" : `: ${causeText(reason).replace(/\.$/, "")}`;
  return {
    kind: "failure_group" as const,
    object: auditObjectOf(subject),
    what: `failure group (${state.replace("_", " ")})${cause}`,
  };
}

/** Adds a comment to a failure group. It is stored only in the audit log. */
export async function commentOnFailure(
  cause: FailureKey,
  { text, actor }: { readonly text: string; readonly actor: string },
  { ledger, clock }: AssignmentDeps,
): Promise<Result<true, Unknown>> {
  const found = await findFailure({ cause }, ledger);
  if (!found.ok) return found;
  const line: AuditLine = {
    actor,
    action: "note",
    object: auditObjectOf(found.value.subject),
    facts: { text },
  };
  await ledger.transaction((transaction) =>
    transaction.integrity.appendAudit(new Date(clock.nowMs()), line),
  );
  return ok(true);
}

interface Snooze {
  /** Null: shown in the list again. */
  readonly until: Date | null;
  /** The version that the person saw: the time of the list, or of the payout's last change. */
  readonly seenAt: Date;
  readonly actor: string;
}

/**
 * Snoozes the line of a failure group or a payout until a date, or until something changes that the
 * person has not seen.
 */
export async function snoozeFailure(
  asked: FailureRef,
  { until, seenAt, actor }: Snooze,
  { ledger, clock }: AssignmentDeps,
): Promise<Result<true, Unknown | "time_passed" | "snooze_too_long" | "content_changed">> {
  const found = await findFailure(asked, ledger);
  if (!found.ok) return found;
  const { subject, state, updatedAt } = found.value;
  const nowMs = clock.nowMs();
  if (until !== null) {
    if (!maySnooze(state)) return err("wrong_state");
    if (until.getTime() <= nowMs) return err("time_passed");
    if (until.getTime() > nowMs + SNOOZE_DAYS_MAX * 86_400_000) return err("snooze_too_long");
    if (updatedAt > seenAt) return err("content_changed");
  }
  await ledger.transaction(async (transaction) => {
    await transaction.operations.setSnooze(subject, until && { until, by: actor, seenAt });
    const facts = { until: until?.toISOString() ?? null };
    const line: AuditLine = { actor, action: "snooze", object: auditObjectOf(subject), facts };
    await transaction.integrity.appendAudit(new Date(nowMs), line);
  });
  return ok(true);
}
