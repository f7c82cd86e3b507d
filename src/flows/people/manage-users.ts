import type { PeopleDeps } from "#flows/people/deps.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import type { Account } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { err, ok, type Result } from "#base/result.ts";

export type ManageRefusal = "not_found" | "own_roles" | "last_admin";

interface UserOrder {
  readonly userId: string;
  /** The person who requests the change. Nobody can change their own rights. */
  readonly by: { readonly id: string; readonly actor: string };
}

/**
 * Changes the roles of a user. The user's sessions end, so that none continues with the old roles.
 */
export const changeRoles = (
  order: UserOrder & { readonly roles: readonly Role[] },
  deps: PeopleDeps,
): Promise<Result<true, ManageRefusal>> =>
  changeUser(order, deps, async (transaction, user, at) => {
    if (!order.roles.includes("admin") && (await isLastAdmin(transaction, user))) return null;
    await transaction.people.setRoles(user.id, order.roles);
    await transaction.people.endSessions({ userId: user.id }, at);
    // A link that was created for a user with fewer rights must not give access to more.
    await transaction.people.voidLinks(user.id, at);
    return { action: "roles", facts: { before: user.roles, after: order.roles } };
  });

/** Disables a user. Users are never deleted, because the record of their actions refers to them. */
export const disable = (order: UserOrder, deps: PeopleDeps): Promise<Result<true, ManageRefusal>> =>
  changeUser(order, deps, async (transaction, user, at) => {
    if (await isLastAdmin(transaction, user)) return null;
    await transaction.people.setDisabled(user.id, at);
    await transaction.people.endSessions({ userId: user.id }, at);
    await transaction.people.voidLinks(user.id, at);
    return { action: "disable", facts: {} };
  });

/** Enables a disabled user. */
export const enable = (order: UserOrder, deps: PeopleDeps): Promise<Result<true, ManageRefusal>> =>
  changeUser(order, deps, async (transaction, user) => {
    await transaction.people.setDisabled(user.id, null);
    return { action: "enable", facts: {} };
  });

type AppliedChange = {
  readonly action: AuditAction;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** @param work returns null if no user would be left who can manage users. */
async function changeUser(
  { userId, by }: UserOrder,
  { ledger, clock }: PeopleDeps,
  work: (transaction: LedgerSteps, user: Account, at: Date) => Promise<AppliedChange | null>,
): Promise<Result<true, ManageRefusal>> {
  if (userId === by.id) return err("own_roles");
  return ledger.transaction(async (transaction) => {
    await transaction.people.lockUsers();
    const at = new Date(clock.nowMs());
    const user = await transaction.people.findAccount({ id: userId });
    if (!user) return err("not_found");
    const done = await work(transaction, user, at);
    if (!done) return err("last_admin");
    await transaction.integrity.appendAudit(at, { actor: by.actor, object: userId, ...done });
    return ok(true);
  });
}

const isLastAdmin = async (transaction: LedgerSteps, user: Account): Promise<boolean> =>
  user.roles.includes("admin") && (await transaction.people.countOtherAdmins(user.id)) === 0;
