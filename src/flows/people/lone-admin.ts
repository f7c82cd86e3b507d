import {
  type AdminChange,
  type ChangeRefusal,
  inDecision,
  createsLink,
  currentValueOf,
} from "#flows/people/admin-changes.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { applyChange, isStillLoneAdmin } from "#flows/people/second-admin.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import type { Result } from "#base/result.ts";

/**
 * Applies the changes of lone admins whose 24 hours have passed. Safe to run concurrently: the
 * database lets each change be decided once. A change that creates a link waits for its proposer,
 * who fetches the link. A change becomes void if the state it was based on has changed, or if it
 * can no longer be made.
 */
export async function applyDueChanges(deps: PeopleDeps): Promise<void> {
  for (const { id } of await deps.ledger.people.findDueChanges(new Date(deps.clock.nowMs()))) {
    const done = await applyIfAlone(id, deps);
    if (!done.ok && done.error !== "wrong_state") await voidChange(id, done.error, deps);
  }
}

const applyIfAlone = (id: string, deps: PeopleDeps): Promise<Result<null, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    const pending = await transaction.people.lockChange(id);
    if (!pending || !(await isStillLoneAdmin(transaction, pending, deps))) return null;
    const change = pending.change as AdminChange;
    const isUnchanged = (await currentValueOf(transaction, change)) === pending.standsOn;
    if (createsLink(change) && isUnchanged) return null;
    await applyChange(pending, at, { ...deps, ledger: transaction });
    return null;
  });

const voidChange = (
  id: string,
  why: ChangeRefusal,
  deps: PeopleDeps,
): Promise<Result<null, ChangeRefusal>> =>
  inDecision(deps, async (transaction, at) => {
    await transaction.people.decideChange({ id, outcome: "void", by: null, at });
    const line: AuditLine = { actor: "payrun", action: "void_change", object: id, facts: { why } };
    await transaction.integrity.appendAudit(at, line);
    return null;
  });
