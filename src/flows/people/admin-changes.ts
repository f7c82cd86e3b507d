import type { ApprovalPolicy } from "#approval/approval-policy.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import type { LooksAlike } from "#flows/people/look-alikes.ts";
import { invite, type CreatedLink, resetLink } from "#flows/people/links.ts";
import { changeRoles, enable, type ManageRefusal } from "#flows/people/manage-users.ts";
import { policyTermsOf } from "#ledger/approval/policy/approval-policy.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import type { LimitTerms } from "#ledger/approval/payout-limits.ts";
import { type DecisionRefusal, refusedDecision } from "#ledger/people/pending-changes.ts";
import type { Account } from "#ledger/people/users.ts";
import type { KeyScope, Role } from "#people/roles.ts";
import { deletesEarlier, type RetentionPolicy } from "#integrity/retention.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * A change by an admin that may give somebody the power to move money, or removes rows of the
 * ledger. It is stored in this form, so a new name needs a migration.
 */
export type AdminChange =
  | ({ readonly kind: "approval_rules"; readonly hours: number } & ApprovalPolicy)
  | ({ readonly kind: "payout_limits" } & LimitTerms)
  | {
      readonly kind: "invite";
      readonly email: string;
      readonly name: string;
      readonly roles: readonly Role[];
    }
  | { readonly kind: "second_factor_policy"; readonly roles: readonly Role[] }
  | ({ readonly kind: "retention" } & RetentionPolicy)
  | { readonly kind: "detach_archive"; readonly archive_id: string }
  | { readonly kind: "roles"; readonly user_id: string; readonly roles: readonly Role[] }
  | { readonly kind: "enable"; readonly user_id: string }
  | { readonly kind: "link"; readonly user_id: string; readonly drop_totp: boolean }
  | {
      readonly kind: "key";
      readonly key_id: string;
      readonly name: string;
      readonly scopes: readonly KeyScope[];
    };

/** The person who requests the change. */
export interface Admin {
  readonly id: string;
  readonly actor: string;
}

export type ChangeRefusal =
  | ManageRefusal
  | DecisionRefusal
  | "email_taken"
  | LooksAlike
  | "user_disabled"
  | "second_admin_needed"
  | "second_admin_not_needed"
  | "sole_admin_must_propose"
  | "content_changed";

const POWERFUL: readonly Role[] = ["approver", "admin"];
const isPowerful = (roles: readonly Role[]): boolean =>
  POWERFUL.some((role) => roles.includes(role));

/**
 * Returns whether an admin who makes the change alone could gain the right to approve, or make
 * others approve.
 */
function isSensitive(
  change: AdminChange,
  user: Account | null,
  factorRoles: readonly Role[],
  retention: RetentionPolicy,
): boolean {
  switch (change.kind) {
    case "retention":
      return deletesEarlier(retention, change);
    case "second_factor_policy":
      return factorRoles.some((role) => !change.roles.includes(role));
    case "approval_rules":
    case "payout_limits":
    case "detach_archive":
    case "key":
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
      // With the second factor in place, a link alone admits nobody. Without one, the holder of the
      // link can act as that person.
      const opensTheDoor = change.drop_totp || !user?.hasTotp;
      return user !== null && opensTheDoor && (user.hasTotp || isPowerful(user.roles));
    }
  }
}

/**
 * Returns whether the change gives an approver a helper of their own: they could add a second
 * person under their control, and approve what that person uploads.
 */
function addsPersonForOwnApprovals(
  change: AdminChange,
  by: Account | null,
  user: Account | null,
): boolean {
  if (!by?.roles.includes("approver")) return false;
  return change.kind === "invite" || (change.kind === "link" && !user?.hasTotp);
}

/** Returns whether a change needs the confirmation of a second admin. */
export async function needsAnother(
  transaction: LedgerSteps,
  change: AdminChange,
  by: Admin,
): Promise<boolean> {
  const user = await subjectOf(transaction, change);
  const admin = await transaction.people.findAccount({ id: by.id });
  const factorRoles = await transaction.people.readFactorRoles();
  const retention = await transaction.integrity.readRetention();
  return (
    isSensitive(change, user, factorRoles, retention) ||
    addsPersonForOwnApprovals(change, admin, user)
  );
}

/**
 * Makes the change. Returns null if no link was created.
 *
 * @param by the admin who proposed it, or the maker of a key.
 * @param confirmedBy the admin who confirmed it. Null: no confirmation was needed.
 */
export async function applyAdminChange(
  change: AdminChange,
  by: Admin,
  confirmedBy: Admin | null,
  deps: PeopleDeps,
): Promise<CreatedLink | null> {
  const said = { actor: by.actor, at: new Date(deps.clock.nowMs()) };
  switch (change.kind) {
    case "approval_rules":
      await deps.ledger.approval.writeApprovalPolicy(change, said);
      return null;
    case "payout_limits":
      await deps.ledger.approval.writePayoutLimits(change, said);
      return null;
    case "second_factor_policy":
      await deps.ledger.people.writeFactorRoles(change.roles, said);
      return null;
    case "retention":
      await deps.ledger.integrity.writeRetention(change, said);
      return null;
    case "detach_archive":
      // The ledger reads the agreement from the change itself.
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
    case "key":
      await confirmKey(change.key_id, confirmedBy, deps);
      return null;
  }
}

async function confirmKey(id: string, by: Admin | null, deps: PeopleDeps): Promise<void> {
  if (!by) throw new Error(`key ${id} cannot work without a confirmation`);
  const at = new Date(deps.clock.nowMs());
  await deps.ledger.people.confirmApiKey({ id, by: by.id, at });
  const line: AuditLine = { actor: by.actor, action: "key_confirm", object: id, facts: {} };
  await deps.ledger.integrity.appendAudit(at, line);
}

/** Returns the user whom a change concerns. Null: it concerns no user, or the user is unknown. */
export const subjectOf = async (
  transaction: LedgerSteps,
  change: AdminChange,
): Promise<Account | null> =>
  "user_id" in change ? transaction.people.findAccount({ id: change.user_id }) : null;

/** Returns whether the change creates a link, which is shown to the person who makes the change. */
export const createsLink = ({ kind }: AdminChange): boolean => kind === "invite" || kind === "link";

/** Returns the current state that the change would replace, as a text that can be compared. */
export async function currentValueOf(
  transaction: LedgerSteps,
  change: AdminChange,
): Promise<string> {
  if (change.kind === "approval_rules") {
    return JSON.stringify(policyTermsOf(await transaction.approval.readApprovalPolicy()));
  }
  if (change.kind === "second_factor_policy") {
    return JSON.stringify(await transaction.people.readFactorRoles());
  }
  if (change.kind === "retention")
    return JSON.stringify(await transaction.integrity.readRetention());
  if (change.kind === "payout_limits")
    return JSON.stringify(await transaction.approval.readPayoutLimits());
  if (change.kind === "detach_archive")
    return (await transaction.people.findArchiveDigest(change.archive_id)) ?? "";
  if (change.kind === "key")
    return JSON.stringify(await transaction.people.findKeyVersion(change.key_id));
  const user = await subjectOf(transaction, change);
  return JSON.stringify(
    user && [user.roles, user.hasTotp, user.isDisabled, user.password !== null],
  );
}

/** Thrown to roll back the transaction. */
export class Refused extends Error {
  readonly why: ChangeRefusal;
  constructor(why: ChangeRefusal) {
    super(typeof why === "string" ? why : why.code);
    this.why = why;
  }
}

function valueOf<T>(result: Result<T, ChangeRefusal>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

/**
 * Runs work in one transaction, during which no other change to users' rights can be made. It takes
 * effect completely, or returns the reason why it was refused.
 */
export async function inDecision<T>(
  { ledger, clock }: PeopleDeps,
  work: (transaction: LedgerSteps, at: Date) => Promise<T>,
): Promise<Result<T, ChangeRefusal>> {
  try {
    return ok(
      await ledger.transaction(async (transaction) => {
        await transaction.people.lockUsers();
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
