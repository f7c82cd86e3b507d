import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Email, PersonName } from "#api/app/session.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { KEY_SCOPES, PERMISSIONS, ROLE_NAMES } from "#people/roles.ts";

const UserId = z.object({ id: z.string().max(40) });
export const Roles = z
  .array(z.enum(ROLE_NAMES))
  .min(1)
  .transform((roles) => [...new Set(roles)]);

const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.enum(ROLE_NAMES)),
  state: z.enum(["active", "invited", "disabled"]),
  has_totp: z.boolean(),
  seen_at: Timestamp.nullable(),
  created_at: Timestamp,
  /** The end of the user's open one-time link; null if there is none. */
  link_expires_at: Timestamp.nullable(),
});

/**
 * The token is in the URL fragment, which browsers do not send and servers do not log. Shown once.
 */
export const OneTimeLink = z.object({
  user_id: z.string(),
  path: z.string(),
  expires_at: Timestamp,
});

const KeyState = z.enum([
  "working",
  "unconfirmed",
  "confirmation_expired",
  "creator_disabled",
  "expired",
  "revoked",
]);
export type KeyState = z.output<typeof KeyState>;

const Key = z.object({
  id: z.string(),
  name: z.string(),
  shown: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  /** Scopes without effect, because its creator does not have the permission now. */
  inactive_scopes: z.array(z.enum(KEY_SCOPES)),
  /**
   * `unconfirmed`: an admin other than its creator must confirm it. `confirmation_expired`: none
   * did in time.
   */
  state: KeyState,
  /** The caller created the key. */
  own: z.boolean(),
  created_by: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  /** The key that replaces it; it expires after their overlap. Null if it was not rotated. */
  replaced_by: z.string().nullable(),
  /** The end of the time in which an admin can confirm it. */
  confirm_until: Timestamp.nullable(),
});

/** Two weeks: the longest time for which an old key remains valid after its rotation. */
const OVERLAP_HOURS_MAX = 336;

export const PEOPLE_API = {
  "GET /api/roles": {
    permission: "read",
    summary: "Lists roles and permissions",
    answer: z.object({
      roles: z.array(
        z.object({ role: z.enum(ROLE_NAMES), permissions: z.array(z.enum(PERMISSIONS)) }),
      ),
      operations: z.array(
        z.object({
          name: z.string(),
          summary: z.string(),
          may: z.enum([...PERMISSIONS, "public", "signed_in"]),
          step_up: z.boolean(),
          keys: z.boolean(),
        }),
      ),
    }),
  },
  "GET /api/users": {
    permission: "administer",
    summary: "Lists users, including disabled ones",
    answer: z.object({ items: z.array(User) }),
  },
  "POST /api/users": {
    permission: "administer",
    stepUp: true,
    creates: true,
    secret: true,
    summary: "Invites a user and returns a link for setting a password",
    body: z.strictObject({ email: Email, name: PersonName, roles: Roles }),
    answer: OneTimeLink,
  },
  "PUT /api/users/:id/roles": {
    permission: "administer",
    stepUp: true,
    summary: "Changes the roles of another user and ends their sessions",
    params: UserId,
    body: z.strictObject({ roles: Roles }),
    answer: "nothing",
  },
  "POST /api/users/:id/disable": {
    permission: "administer",
    summary: "Disables a user and ends their sessions",
    params: UserId,
    answer: "nothing",
  },
  "POST /api/users/:id/enable": {
    permission: "administer",
    stepUp: true,
    summary: "Enables a disabled user",
    params: UserId,
    answer: "nothing",
  },
  "POST /api/users/:id/link": {
    permission: "administer",
    stepUp: true,
    secret: true,
    summary: "Creates a one-time link for a user who cannot sign in; earlier links become invalid",
    params: UserId,
    body: z.strictObject({ drop_totp: z.boolean().default(false) }),
    answer: OneTimeLink,
  },
  "GET /api/keys": {
    permission: "signed_in",
    keys: false,
    summary: "Lists your API keys without their secrets; admins see all keys",
    answer: z.object({ items: z.array(Key) }),
  },
  "POST /api/keys": {
    permission: "signed_in",
    keys: false,
    stepUp: true,
    creates: true,
    secret: true,
    summary:
      "Creates an API key, which cannot have more permissions than you. The secret is shown only once. An admin must confirm keys with the `operate` or `reveal` permission",
    body: z.strictObject({
      name: PersonName,
      scopes: z.array(z.enum(KEY_SCOPES)).min(1),
      expires_at: Timestamp,
    }),
    answer: z.object({ id: z.string(), key: z.string(), unconfirmed: z.boolean() }),
  },
  "POST /api/keys/:id/rotate": {
    permission: "signed_in",
    keys: false,
    stepUp: true,
    creates: true,
    secret: true,
    summary:
      "Replaces one of your API keys with a new one that has the same scopes and validity. The old key expires after `overlap_hours`",
    params: z.object({ id: z.string().max(40) }),
    body: z.strictObject({ overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).default(24) }),
    answer: z.object({ id: z.string(), key: z.string(), unconfirmed: z.boolean() }),
  },
  "DELETE /api/keys/:id": {
    permission: "signed_in",
    keys: false,
    summary: "Revokes one of your API keys; admins can revoke any key",
    params: z.object({ id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
