import {
  type Admin,
  type AdminChange,
  applyAdminChange,
  type ChangeRefusal,
  inDecision,
  needsAnother,
  Refused,
  currentValueOf,
  subjectOf,
} from "#flows/people/admin-changes.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { findLookAlike } from "#flows/people/look-alikes.ts";
import type { CreatedLink } from "#flows/people/links.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import type { PendingChange } from "#ledger/people/pending-changes.ts";
import type { Role } from "#people/roles.ts";
import type { Result } from "#base/result.ts";

const DAY_MS = 24 * 60 * 60_000;
export const PENDING_MS = 3 * DAY_MS;
/**
 * Counts the other admins who can confirm a change. An admin who was disabled within the last day
 * still counts, so that disabling the only other admin makes nobody a lone admin before it can be
 * noticed.
 */
export const countConfirmingAdmins = (
  ledger: LedgerSteps,
  id: string,
  { clock }: Pick<PeopleDeps, "clock">,
) => ledger.people.countOtherAdmins(id, new Date(clock.nowMs() - DAY_MS));

/**
 * Milliseconds during which the change of a lone admin can be withdrawn or refused before it takes
 * effect.
 */
const LONE_WAIT_MS = DAY_MS;

/**
 * Makes the change immediately, if it needs neither another admin nor a wait. Returns null if no
 * link was created.
 */
export const applyNow = (
  change: AdminChange,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<CreatedLink | null, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    if ("roles" in change && "user_id" in change && change.user_id === by.id) {
      throw new Refused("own_roles");
    }
    const grave = await needsAnother(transaction, change, by);
    if (grave && (await countConfirmingAdmins(transaction, by.id, deps)) > 0)
      throw new Refused("second_admin_needed");
    if (grave && (await transaction.people.isSetUp())) throw new Refused("sole_admin_must_propose");
    if (grave) {
      await transaction.integrity.appendAudit(at, {
        actor: by.actor,
        action: "change_alone",
        object: change.kind,
        facts: { why: "the only admin, during the setup" },
      });
    }
    return applyAdminChange(change, by, null, { ...deps, ledger: transaction });
  });

/**
 * Proposes the change to the other admins; the change of a lone admin takes effect 24 hours later.
 * Returns its ID.
 */
export const proposeChange = (
  change: AdminChange,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<string, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    const user = await subjectOf(transaction, change);
    if ("user_id" in change && !user) throw new Refused("not_found");
    if (change.kind === "detach_archive" && (await currentValueOf(transaction, change)) === "")
      throw new Refused("not_found");
    if (
      change.kind === "detach_archive" &&
      (await transaction.people.isRemovalKnown(change.archive_id))
    )
      throw new Refused("wrong_state");
    if (user?.id === by.id) throw new Refused("own_roles");
    const grave = await needsAnother(transaction, change, by);
    if (change.kind === "invite") {
      const alike = await findLookAlike(transaction, change);
      if (alike) throw new Refused(alike);
    }
    const isAlone = (await countConfirmingAdmins(transaction, by.id, deps)) === 0;
    const isNeeded = grave && (!isAlone || (await transaction.people.isSetUp()));
    if (!isNeeded) throw new Refused("second_admin_not_needed");
    const takesEffectAt = isAlone ? new Date(at.getTime() + LONE_WAIT_MS) : null;
    const id = await transaction.people.insertChange({
      change,
      standsOn: await currentValueOf(transaction, change),
      proposedBy: by.id,
      at,
      // A link can be fetched for as long as another admin could confirm the change.
      expiresAt: new Date((takesEffectAt ?? at).getTime() + PENDING_MS),
      takesEffectAt,
    });
    const facts = {
      change,
      ...(takesEffectAt && { takes_effect_at: takesEffectAt.toISOString() }),
    };
    const line: AuditLine = { actor: by.actor, action: "propose_change", object: id, facts };
    await transaction.integrity.appendAudit(at, line);
    return id;
  });

/**
 * Confirms the change of another person, which thereby takes effect. A lone admin uses the same
 * call for their own change once its 24 hours have passed, and so fetches its link. Returns null if
 * no link was created.
 */
export const confirmChange = (
  id: string,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<CreatedLink | null, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    const pending = await transaction.people.lockChange(id);
    if (!pending) throw new Refused("not_found");
    if (pending.proposedBy === by.id && pending.takesEffectAt) {
      if (!(await isStillLoneAdmin(transaction, pending, deps))) throw new Refused("own_change");
      return applyChange(pending, at, { ...deps, ledger: transaction });
    }
    await transaction.people.decideChange({ id, outcome: "confirmed", by: by.id, at });
    const proposer = actorOf(pending);
    const facts = { change: pending.change, proposed_by: proposer.actor };
    const line: AuditLine = { actor: by.actor, action: "confirm_change", object: id, facts };
    await transaction.integrity.appendAudit(at, line);
    return applyIfUnchanged(pending, by, { ...deps, ledger: transaction });
  });

/**
 * Returns whether the proposer is still a lone admin. If another admin can sign in, or could during
 * the last 24 hours, that admin has to confirm the change after all.
 */
export const isStillLoneAdmin = async (
  ledger: LedgerSteps,
  { proposedBy }: PendingChange,
  deps: Pick<PeopleDeps, "clock">,
): Promise<boolean> => (await countConfirmingAdmins(ledger, proposedBy, deps)) === 0;

/**
 * Applies the change of a lone admin. The database refuses it before its time and after its end.
 */
export async function applyChange(
  pending: PendingChange,
  at: Date,
  deps: PeopleDeps,
): Promise<CreatedLink | null> {
  const { id, change } = pending;
  await deps.ledger.people.decideChange({ id, outcome: "applied", by: null, at });
  const { actor } = actorOf(pending);
  const line: AuditLine = { actor, action: "apply_change", object: id, facts: { change } };
  await deps.ledger.integrity.appendAudit(at, line);
  return applyIfUnchanged(pending, null, deps);
}

/** Makes the proposed change, unless the state on which it was proposed has changed since. */
async function applyIfUnchanged(
  pending: PendingChange,
  confirmedBy: Admin | null,
  deps: PeopleDeps,
): Promise<CreatedLink | null> {
  const change = pending.change as AdminChange;
  if ((await currentValueOf(deps.ledger, change)) !== pending.standsOn) {
    throw new Refused("content_changed");
  }
  return applyAdminChange(change, actorOf(pending), confirmedBy, deps);
}

const actorOf = ({ proposedBy }: PendingChange): Admin => ({
  id: proposedBy,
  actor: `user:${proposedBy}`,
});

/** Withdraws one's own proposal, or refuses that of another person. A refused key is revoked. */
export const withdrawChange = (
  id: string,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<null, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    const pending = await transaction.people.lockChange(id);
    if (!pending || !(await mayWithdraw(transaction, pending, by))) throw new Refused("not_found");
    await transaction.people.decideChange({ id, outcome: "withdrawn", by: by.id, at });
    const change = pending.change as AdminChange;
    if (change.kind === "key") await transaction.people.revokeApiKey({ id: change.key_id, at });
    const line: AuditLine = { actor: by.actor, action: "withdraw_change", object: id, facts: {} };
    await transaction.integrity.appendAudit(at, line);
    return null;
  });

/** Approvers may refuse the change of a lone admin, because no other admin can. */
async function mayWithdraw(
  transaction: LedgerSteps,
  { proposedBy, takesEffectAt }: PendingChange,
  by: Admin,
): Promise<boolean> {
  const roles = (await transaction.people.findAccount({ id: by.id }))?.roles ?? [];
  return mayRefuse({ proposedBy, takesEffectAt }, { id: by.id, roles });
}

/** Returns whether the person may withdraw or refuse the change. No other person sees it. */
export const mayRefuse = (
  { proposedBy, takesEffectAt }: Pick<PendingChange, "proposedBy" | "takesEffectAt">,
  { id, roles }: { readonly id: string; readonly roles: readonly Role[] },
): boolean =>
  proposedBy === id ||
  roles.includes("admin") ||
  (takesEffectAt !== null && roles.includes("approver"));
