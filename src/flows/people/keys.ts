import type { Admin, AdminChange } from "#flows/people/admin-changes.ts";
import { currentValueOf } from "#flows/people/admin-changes.ts";
import { withAudit } from "#flows/people/audited.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { PENDING_MS } from "#flows/people/second-admin.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { NewKey } from "#ledger/people/api-keys.ts";
import { type KeyScope, needsConfirmation, scopesExceeding } from "#people/roles.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { Secret } from "#base/secret.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";

export interface CreatedKey {
  readonly id: string;
  /** Shown once; the ledger stores a digest. */
  readonly token: Secret;
  /** The key does not work until an admin has confirmed it. */
  readonly isWaiting: boolean;
}

/**
 * Creates an API key for a program, with at most the rights of its maker. The error lists the
 * rights that the maker lacks.
 */
export const createKey = (
  key: Pick<NewKey, "name" | "scopes" | "expiresAt">,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<CreatedKey, readonly KeyScope[]>> =>
  withAudit<Result<CreatedKey, readonly KeyScope[]>>(deps, async (transaction, at) => {
    await transaction.people.lockUsers();
    const made = await insertKey(transaction, key, by, at);
    if (!made.ok) return { value: made, line: null };
    const { name, scopes, expiresAt } = key;
    const { id, isWaiting } = made.value;
    const facts = { name, scopes, expires_at: expiresAt.toISOString(), waits: isWaiting };
    const line: AuditLine = { actor: by.actor, action: "key_create", object: id, facts };
    return { value: made, line };
  });

/** Stores a new key, and proposes it to the admins if it needs a confirmation. */
async function insertKey(
  transaction: LedgerSteps,
  key: Pick<NewKey, "name" | "scopes" | "expiresAt">,
  by: Admin,
  at: Date,
): Promise<Result<CreatedKey, readonly KeyScope[]>> {
  const { name, scopes } = key;
  const maker = await transaction.people.findAccount({ id: by.id });
  const beyond = scopesExceeding(scopes, maker && !maker.isDisabled ? maker.roles : []);
  if (beyond.length > 0) return err(beyond);
  const made = await transaction.people.insertApiKey({ ...key, createdBy: by.id, at });
  const isWaiting = needsConfirmation(scopes);
  if (isWaiting) {
    const change: AdminChange = { kind: "key", key_id: made.id, name, scopes };
    const standsOn = await currentValueOf(transaction, change);
    const expiresAt = new Date(at.getTime() + PENDING_MS);
    const proposal = { change, standsOn, proposedBy: by.id, at, expiresAt, takesEffectAt: null };
    await transaction.people.insertChange(proposal);
  }
  return ok({ ...made, isWaiting });
}

/** The key to rotate, and how long it remains valid after the rotation. */
export interface RotationOrder {
  readonly id: string;
  readonly overlapMs: number;
}

/**
 * Replaces a key of its maker by a new one with the same name, scopes and validity. The old key
 * expires after the overlap, which starts when the time for a required confirmation ends. Null: the
 * caller has no valid key with this ID that was not replaced before.
 */
export const rotateKey = (
  { id, overlapMs }: RotationOrder,
  by: Admin,
  deps: PeopleDeps,
): Promise<Result<CreatedKey, readonly KeyScope[]> | null> =>
  withAudit<Result<CreatedKey, readonly KeyScope[]> | null>(deps, async (transaction, at) => {
    await transaction.people.lockUsers();
    const old = await transaction.people.lockRotatableKey({ id, maker: by.id, at });
    if (!old) return { value: null, line: null };
    const validMs = old.expiresAt.getTime() - old.createdAt.getTime();
    const expiresAt = new Date(at.getTime() + validMs);
    const made = await insertKey(transaction, { ...old, expiresAt }, by, at);
    if (!made.ok) return { value: made, line: null };
    // The new key works once an admin confirms it. Until then, the old one must not expire.
    const waitMs = made.value.isWaiting ? PENDING_MS : 0;
    const until = new Date(at.getTime() + waitMs + overlapMs);
    await transaction.people.replaceApiKey({ id, by: made.value.id, until });
    const facts = {
      name: old.name,
      scopes: old.scopes,
      expires_at: expiresAt.toISOString(),
      waits: made.value.isWaiting,
      replaces: id,
      until: until.toISOString(),
    };
    const object = made.value.id;
    return { value: made, line: { actor: by.actor, action: "key_rotate", object, facts } };
  });

/**
 * Revokes a key. Its maker may revoke it, and an admin may revoke any key. Returns false if no such
 * key is active.
 */
export const revokeKey = (
  id: string,
  by: Admin & { readonly isAdmin: boolean },
  deps: PeopleDeps,
): Promise<boolean> =>
  withAudit(deps, async (transaction, at) => {
    await transaction.people.lockUsers();
    const maker = await transaction.people.revokeApiKey({
      id,
      maker: by.isAdmin ? null : by.id,
      at,
    });
    if (maker === null) return { value: false, line: null };
    const change = await transaction.people.changeOfKey(id);
    if (change !== null) {
      await transaction.people.decideChange({ id: change, outcome: "withdrawn", by: by.id, at });
    }
    return { value: true, line: { actor: by.actor, action: "key_revoke", object: id, facts: {} } };
  });
