import type { Session } from "#ledger/people/sessions.ts";
import type { Permission, Role } from "#people/roles.ts";

/** The sender of a request: a user by a session cookie, or a program by its API key. */
export interface Person {
  readonly kind: "user" | "key";
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly roles: readonly Role[];
  readonly permissions: ReadonlySet<Permission>;
  /**
   * For an API key: the scopes that are not valid, because its maker no longer has these
   * permissions.
   */
  readonly lost?: { readonly scopes: readonly Permission[]; readonly maker: string };
  /** For transitions and audit lines: "user:US…", "key:AK…". */
  readonly actor: string;
  /**
   * Owner of the Idempotency-Keys of its requests: the actor, or for a rotated API key the first
   * key of the rotations, so that a request that is repeated with the new key is recognised.
   */
  readonly keyOwner: string;
  /** Set for users only. */
  readonly session: Session | null;
  /**
   * The roles of this user that require a second factor while there is none. They allow only
   * reading.
   */
  readonly factorMissing: readonly Role[];
}
