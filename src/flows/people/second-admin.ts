import type { ApprovalPolicy } from "#batch/approval-policy.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { invite, type MadeLink, resetLink } from "#flows/people/links.ts";
import { changeRoles, enable, type ManageRefusal } from "#flows/people/manage.ts";
import { readApprovals, termsOf, writeApprovals } from "#ledger/approval-rules.ts";
import { appendAudit } from "#ledger/audit.ts";
import { type Database, inTransaction } from "#ledger/database.ts";
import { type LimitTerms, readLimits, writeLimits } from "#ledger/money-limits.ts";
import {
  type DecisionRefusal,
  decideChange,
  insertChange,
  lockChange,
  refusedDecision,
} from "#ledger/people/pending-changes.ts";
import { type Account, findAccount, lockUsers, otherAdmins } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { err, ok, type Result } from "#result.ts";

/** What an admin changes of who may let money go. Kept as it is here, so a name in it is for ever. */
export type AdminChange =
  | ({ readonly kind: "approval_rules"; readonly hours: number } & ApprovalPolicy)
  | ({ readonly kind: "money_limits" } & LimitTerms)
  | {
      readonly kind: "invite";
      readonly email: string;
      readonly name: string;
      readonly roles: readonly Role[];
    }
  | { readonly kind: "roles"; readonly user_id: string; readonly roles: readonly Role[] }
  | { readonly kind: "enable"; readonly user_id: string }
  | { readonly kind: "link"; readonly user_id: string; readonly drop_totp: boolean };

/** Who asks. */
interface Admin {
  readonly id: string;
  readonly actor: string;
}

export type ChangeRefusal =
  | ManageRefusal
  | DecisionRefusal
  | "email_taken"
  | "user_disabled"
  | "second_admin_needed"
  | "second_admin_not_needed"
  | "content_changed";

const DAY_MS = 24 * 60 * 60_000;
const PENDING_MS = 3 * DAY_MS;
const POWERFUL: readonly Role[] = ["approver", "admin"];
const isPowerful = (roles: readonly Role[]): boolean =>
  POWERFUL.some((role) => roles.includes(role));

/** Whether an admin who does this alone could come to approve, or to make others approve. */
function isGrave(change: AdminChange, user: Account | null): boolean {
  switch (change.kind) {
    case "approval_rules":
    case "money_limits":
      return true;
    case "invite":
      return isPowerful(change.roles);
    case "roles":
      return (
        isPowerful(change.roles.filter((role) => !user?.roles.includes(role))) ||
        (user?.roles.includes("admin") === true && !change.roles.includes("admin"))
      );
    case "enable":
      return user !== null && isPowerful(user.roles);
    case "link": {
      // With the second factor in place a link lets nobody in; without it, whoever holds the link is that person.
      const opensTheDoor = change.drop_totp || !user?.hasTotp;
      return user !== null && opensTheDoor && (user.hasTotp || isPowerful(user.roles));
    }
  }
}

/** Who may approve could bring a second person of their own making in, and approve what that person uploads. */
function isOwnHelp(change: AdminChange, by: Account | null, user: Account | null): boolean {
  if (!by?.roles.includes("approver")) return false;
  return change.kind === "invite" || (change.kind === "link" && !user?.hasTotp);
}

async function needsAnother(
  transaction: Database,
  change: AdminChange,
  by: Admin,
): Promise<boolean> {
  const user = await subjectOf(transaction, change);
  const admin = await findAccount(transaction, { id: by.id });
  return isGrave(change, user) || isOwnHelp(change, admin, user);
}

/** The admins to ask. Whoever has disabled the other one is not alone before a day has passed and somebody could notice. */
export const adminsBeside = (
  database: Database,
  id: string,
  { clock }: Pick<PeopleDeps, "clock">,
) => otherAdmins(database, id, new Date(clock.nowMs() - DAY_MS));

/** Does it now, unless another admin has to be asked. Null: done, and there is no link to hand over. */
export const doAtOnce = (
  change: AdminChange,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<MadeLink | null, ChangeRefusal>> =>
  decided(deps, async (transaction, at) => {
    const grave = await needsAnother(transaction, change, by);
    if (grave && (await adminsBeside(transaction, by.id, deps)) > 0)
      throw new Refused("second_admin_needed");
    if (grave) {
      const line = { actor: by.actor, action: "change_alone", object: change.kind };
      await appendAudit(transaction, at, { ...line, facts: { why: "the only admin" } });
    }
    return carryOut(change, by, { ...deps, database: transaction });
  });

/** Puts it before the other admins. Returns the name under which it waits. */
export const proposeChange = (
  change: AdminChange,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<string, ChangeRefusal>> =>
  decided(deps, async (transaction, at) => {
    const user = await subjectOf(transaction, change);
    if ("user_id" in change && !user) throw new Refused("not_found");
    if (user?.id === by.id) throw new Refused("own_roles");
    const grave = await needsAnother(transaction, change, by);
    const isNeeded = grave && (await adminsBeside(transaction, by.id, deps)) > 0;
    if (!isNeeded) throw new Refused("second_admin_not_needed");
    const standsOn = await standingOf(transaction, change);
    const expiresAt = new Date(at.getTime() + PENDING_MS);
    const id = await insertChange(transaction, {
      change,
      standsOn,
      proposedBy: by.id,
      at,
      expiresAt,
    });
    const line = { actor: by.actor, action: "propose_change", object: id, facts: { change } };
    await appendAudit(transaction, at, line);
    return id;
  });

/** Confirms what another admin has proposed, which takes effect with it. Null: there is no link to hand over. */
export const confirmChange = (
  id: string,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<MadeLink | null, ChangeRefusal>> =>
  decided(deps, async (transaction, at) => {
    const pending = await lockChange(transaction, id);
    if (!pending) throw new Refused("not_found");
    await decideChange(transaction, { id, outcome: "confirmed", by: by.id, at });
    const change = pending.change as AdminChange;
    // Two admins have agreed on a change of what was there, not of what came to be there since.
    if ((await standingOf(transaction, change)) !== pending.standsOn) {
      throw new Refused("content_changed");
    }
    const proposer = { id: pending.proposedBy, actor: `user:${pending.proposedBy}` };
    const facts = { change, proposed_by: proposer.actor };
    await appendAudit(transaction, at, {
      actor: by.actor,
      action: "confirm_change",
      object: id,
      facts,
    });
    return carryOut(change, proposer, { ...deps, database: transaction });
  });

/** Takes one's own proposal back, or says no to that of another admin. */
export const withdrawChange = (
  id: string,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<null, ChangeRefusal>> =>
  decided(deps, async (transaction, at) => {
    if (!(await lockChange(transaction, id))) throw new Refused("not_found");
    await decideChange(transaction, { id, outcome: "withdrawn", by: by.id, at });
    const line = { actor: by.actor, action: "withdraw_change", object: id, facts: {} };
    await appendAudit(transaction, at, line);
    return null;
  });

async function carryOut(
  change: AdminChange,
  by: Admin,
  deps: PeopleDeps,
): Promise<MadeLink | null> {
  const said = { actor: by.actor, at: new Date(deps.clock.nowMs()) };
  switch (change.kind) {
    case "approval_rules":
      await writeApprovals(deps.database, change, said);
      return null;
    case "money_limits":
      await writeLimits(deps.database, change, said);
      return null;
    case "invite":
      return valueOf(await invite(change, by.actor, deps));
    case "roles":
      valueOf(await changeRoles({ userId: change.user_id, roles: change.roles, by }, deps));
      return null;
    case "enable":
      valueOf(await enable({ userId: change.user_id, by }, deps));
      return null;
    case "link": {
      const order = { userId: change.user_id, dropsTotp: change.drop_totp };
      return valueOf(await resetLink(order, by.actor, deps));
    }
  }
}

const subjectOf = async (transaction: Database, change: AdminChange): Promise<Account | null> =>
  "user_id" in change ? findAccount(transaction, { id: change.user_id }) : null;

/** What the change would replace, to be compared as a text. */
async function standingOf(transaction: Database, change: AdminChange): Promise<string> {
  if (change.kind === "approval_rules") {
    return JSON.stringify(termsOf(await readApprovals(transaction)));
  }
  if (change.kind === "money_limits") return JSON.stringify(await readLimits(transaction));
  const user = await subjectOf(transaction, change);
  return JSON.stringify(
    user && [user.roles, user.hasTotp, user.isDisabled, user.password !== null],
  );
}

/** Thrown so that what was begun is rolled back. */
class Refused extends Error {
  readonly why: ChangeRefusal;
  constructor(why: ChangeRefusal) {
    super(why);
    this.why = why;
  }
}

function valueOf<T>(result: Result<T, ChangeRefusal>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

/** One transaction, in which nobody else changes who may do what: all of it, or the reason why nothing. */
async function decided<T>(
  { database, clock }: PeopleDeps,
  work: (transaction: Database, at: Date) => Promise<T>,
): Promise<Result<T, ChangeRefusal>> {
  try {
    return ok(
      await inTransaction(database, async (transaction) => {
        await lockUsers(transaction);
        return work(transaction, new Date(clock.nowMs()));
      }),
    );
  } catch (error) {
    if (error instanceof Refused) return err(error.why);
    const why = refusedDecision(error);
    if (why) return err(why);
    throw error;
  }
}
