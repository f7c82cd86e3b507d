import { withAudit } from "#flows/people/audited.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Origin, PeopleDeps } from "#flows/people/deps.ts";
import { hashPassword } from "#flows/people/password-hash.ts";
import { checkPassword } from "#flows/people/password-check.ts";
import { findLookAlike, type LooksAlike } from "#flows/people/look-alikes.ts";
import { openSessionFor } from "#flows/people/sign-in.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import type { LinkPurpose } from "#ledger/people/links.ts";
import { type Account, USERS_EMAIL } from "#ledger/people/users.ts";
import type { PasswordProblem } from "#people/password.ts";
import type { Role } from "#people/roles.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { Secret } from "#base/secret.ts";

export interface CreatedLink {
  readonly token: Secret;
  readonly expiresAt: Date;
  readonly userId: string | null;
}

/**
 * Creates the link for setting up the first admin, and voids the previous one. Returns null if a
 * user exists.
 */
export async function setupLink(
  actor: string,
  deps: Omit<PeopleDeps, "sealer">,
): Promise<CreatedLink | null> {
  if (await deps.ledger.people.hasUsers()) return null;
  return withAudit(deps, async (transaction, at) => {
    const link = await transaction.people.makeLink({ purpose: "setup", userId: null, at });
    const line: AuditLine = { actor, action: "setup_link", object: "users", facts: {} };
    return { value: { ...link, userId: null }, line };
  });
}

/**
 * Creates a user without a password, and the link with which the user chooses one. No other person
 * ever knows the password.
 */
export async function invite(
  user: { readonly email: string; readonly name: string; readonly roles: readonly Role[] },
  actor: string,
  deps: PeopleDeps,
): Promise<Result<CreatedLink, "email_taken" | LooksAlike>> {
  try {
    return await withAudit<Result<CreatedLink, LooksAlike>>(deps, async (transaction, at) => {
      // If two invitations run concurrently, the second one sees the first.
      await transaction.people.lockUsers();
      const alike = await findLookAlike(transaction, user);
      if (alike) return { value: err(alike), line: null };
      const userId = await transaction.people.insertUser({ ...user, at });
      const link = await transaction.people.makeLink({ purpose: "invite", userId, at });
      const facts = { email: user.email, roles: user.roles };
      return {
        value: ok({ ...link, userId }),
        line: { actor, action: "invite", object: userId, facts },
      };
    });
  } catch (error) {
    if (isUniqueViolation(error, USERS_EMAIL)) return err("email_taken");
    throw error;
  }
}

/**
 * Creates a new link for a user who cannot sign in. With `dropsTotp` it also removes a lost second
 * factor; then the user's sessions end now, not when the link is used.
 */
export async function resetLink(
  { userId, dropsTotp }: { readonly userId: string; readonly dropsTotp: boolean },
  actor: string,
  deps: Omit<PeopleDeps, "sealer">,
): Promise<Result<CreatedLink, "not_found" | "user_disabled">> {
  return withAudit<Result<CreatedLink, "not_found" | "user_disabled">>(
    deps,
    async (transaction, at) => {
      // Disabling a user voids the user's links: none may be created after that.
      await transaction.people.lockUsers();
      const user = await transaction.people.findAccount({ id: userId });
      if (!user) return { value: err("not_found"), line: null };
      if (user.isDisabled) return { value: err("user_disabled"), line: null };
      const purpose: LinkPurpose = user.password === null ? "invite" : "reset";
      const link = await transaction.people.makeLink({ purpose, userId, at });
      if (dropsTotp) {
        await transaction.people.removeTotp(userId);
        await transaction.people.endSessions({ userId }, at);
      }
      const line: AuditLine = {
        actor,
        action: `${purpose}_link`,
        object: userId,
        facts: { totp: !dropsTotp },
      };
      return { value: ok({ ...link, userId }), line };
    },
  );
}

export interface LinkInfo {
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
  readonly user: Account | null;
}

/** Returns the purpose of a link; null if it is no longer valid. */
export async function findLinkInfo(
  token: string,
  { ledger, clock }: PeopleDeps,
): Promise<LinkInfo | null> {
  const link = await ledger.people.findLink(token, new Date(clock.nowMs()));
  if (!link) return null;
  const user = link.userId === null ? null : await ledger.people.findAccount({ id: link.userId });
  return { purpose: link.purpose, expiresAt: link.expiresAt, user };
}

export type LinkRefusal =
  | { readonly kind: "void" }
  | { readonly kind: "incomplete" }
  | { readonly kind: "weak"; readonly why: PasswordProblem };

interface LinkUse {
  readonly token: string;
  readonly password: string;
  /** Given for the first admin only, who has no account yet. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Sets the password and opens a session. Returns null instead of a session if the user has a second
 * factor, which they must show at sign-in.
 */
export async function useLink(
  use: LinkUse,
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret | null, LinkRefusal>> {
  const seen = await findLinkInfo(use.token, deps);
  if (!seen) return err({ kind: "void" });
  const email = seen.user?.email ?? use.email;
  const name = seen.user?.name ?? use.name;
  if (email === undefined || name === undefined) return err({ kind: "incomplete" });
  const why = await checkPassword(use.password, { email, name });
  if (why) return err({ kind: "weak", why });

  const hash = await hashPassword(use.password);
  const userId = await deps.ledger.transaction(async (transaction) => {
    await transaction.people.lockUsers();
    const at = new Date(deps.clock.nowMs());
    if (!(await transaction.people.useUp(use.token, at))) return null;
    const id = seen.user?.id ?? (await firstAdmin(transaction, { email, name, at }));
    if (id === null) return null;
    await transaction.people.setPassword(id, hash);
    await transaction.people.endSessions({ userId: id }, at);
    const facts = { by: seen.purpose, address: origin.address };
    await transaction.integrity.appendAudit(at, {
      actor: `user:${id}`,
      action: "join",
      object: id,
      facts,
    });
    return id;
  });
  if (userId === null) return err({ kind: "void" });
  if (seen.user?.hasTotp) return ok(null);
  return ok(await openSessionFor(userId, { ...origin, proof: "password" }, deps));
}

/** Null: another request created the first admin before this one. */
const firstAdmin = async (
  transaction: LedgerSteps,
  { email, name, at }: { email: string; name: string; at: Date },
): Promise<string | null> =>
  (await transaction.people.hasUsers())
    ? null
    : transaction.people.insertUser({ email, name, roles: ["admin"], at });
