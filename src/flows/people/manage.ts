import type { PeopleDeps } from "#flows/people/deps.ts";
import { appendAudit } from "#ledger/audit.ts";
import { type Database, inTransaction } from "#ledger/database.ts";
import { voidLinks } from "#ledger/people/links.ts";
import { endSessions } from "#ledger/people/sessions.ts";
import {
  type Account,
  findAccount,
  lockUsers,
  otherAdmins,
  setDisabled,
  setRoles,
} from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { err, ok, type Result } from "#result.ts";

export type ManageRefusal = "not_found" | "own_roles" | "last_admin";

interface Order {
  readonly userId: string;
  /** Who asks: nobody changes what they themselves may do. */
  readonly by: { readonly id: string; readonly actor: string };
}

/** Gives a user other roles; their sessions end, so that nothing goes on under the old ones. */
export const changeRoles = (
  order: Order & { readonly roles: readonly Role[] },
  deps: PeopleDeps,
): Promise<Result<true, ManageRefusal>> =>
  change(order, deps, async (transaction, user, at) => {
    if (!order.roles.includes("admin") && (await isLastAdmin(transaction, user))) return null;
    await setRoles(transaction, user.id, order.roles);
    await endSessions(transaction, { userId: user.id }, at);
    // A link that was made for somebody with less power opens no door with more.
    await voidLinks(transaction, user.id, at);
    return { action: "roles", facts: { before: user.roles, after: order.roles } };
  });

/** Nobody is deleted: what they did stays theirs. */
export const disable = (order: Order, deps: PeopleDeps): Promise<Result<true, ManageRefusal>> =>
  change(order, deps, async (transaction, user, at) => {
    if (await isLastAdmin(transaction, user)) return null;
    await setDisabled(transaction, user.id, at);
    await endSessions(transaction, { userId: user.id }, at);
    await voidLinks(transaction, user.id, at);
    return { action: "disable", facts: {} };
  });

export const enable = (order: Order, deps: PeopleDeps): Promise<Result<true, ManageRefusal>> =>
  change(order, deps, async (transaction, user) => {
    await setDisabled(transaction, user.id, null);
    return { action: "enable", facts: {} };
  });

type Done = { readonly action: string; readonly facts: Readonly<Record<string, unknown>> };

/** @param work null: it would leave nobody who can manage users. */
async function change(
  { userId, by }: Order,
  { database, clock }: PeopleDeps,
  work: (transaction: Database, user: Account, at: Date) => Promise<Done | null>,
): Promise<Result<true, ManageRefusal>> {
  if (userId === by.id) return err("own_roles");
  return inTransaction(database, async (transaction) => {
    await lockUsers(transaction);
    const at = new Date(clock.nowMs());
    const user = await findAccount(transaction, { id: userId });
    if (!user) return err("not_found");
    const done = await work(transaction, user, at);
    if (!done) return err("last_admin");
    await appendAudit(transaction, at, { actor: by.actor, object: userId, ...done });
    return ok(true);
  });
}

const isLastAdmin = async (transaction: Database, user: Account): Promise<boolean> =>
  user.roles.includes("admin") && (await otherAdmins(transaction, user.id)) === 0;
