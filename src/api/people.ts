import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Email, PersonName } from "#api/session.ts";
import { Timestamp } from "#api/shapes.ts";
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
});

/** The token stands in the fragment, which no browser sends and no log of a server keeps. Shown once. */
export const OneTimeLink = z.object({
  user_id: z.string(),
  path: z.string(),
  expires_at: Timestamp,
});

const Key = z.object({
  id: z.string(),
  name: z.string(),
  shown: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  created_by: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
});

export const PEOPLE_API = {
  "GET /api/roles": {
    may: "read",
    summary: "Who may do what, as the server enforces it",
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
    may: "administer",
    summary: "Everybody who can sign in, or could",
    answer: z.object({ items: z.array(User) }),
  },
  "POST /api/users": {
    may: "administer",
    stepUp: true,
    creates: true,
    secret: true,
    summary: "Invite somebody: they choose their password by the link",
    body: z.strictObject({ email: Email, name: PersonName, roles: Roles }),
    answer: OneTimeLink,
  },
  "PUT /api/users/:id/roles": {
    may: "administer",
    stepUp: true,
    summary: "Give somebody else other roles; their sessions end",
    params: UserId,
    body: z.strictObject({ roles: Roles }),
    answer: "nothing",
  },
  "POST /api/users/:id/disable": {
    may: "administer",
    summary: "Let somebody in no longer; their sessions end at once",
    params: UserId,
    answer: "nothing",
  },
  "POST /api/users/:id/enable": {
    may: "administer",
    stepUp: true,
    summary: "Let somebody in again",
    params: UserId,
    answer: "nothing",
  },
  "POST /api/users/:id/link": {
    may: "administer",
    stepUp: true,
    summary: "A new one-time link for somebody who cannot get in; the ones before are void",
    params: UserId,
    body: z.strictObject({ drop_totp: z.boolean().default(false) }),
    answer: OneTimeLink,
  },
  "GET /api/keys": {
    may: "administer",
    summary: "The keys of programs, without their secret",
    answer: z.object({ items: z.array(Key) }),
  },
  "POST /api/keys": {
    may: "administer",
    stepUp: true,
    creates: true,
    secret: true,
    summary: "A key for a program; it is shown this once",
    body: z.strictObject({
      name: PersonName,
      scopes: z.array(z.enum(KEY_SCOPES)).min(1),
      expires_at: Timestamp,
    }),
    answer: z.object({ id: z.string(), key: z.string() }),
  },
  "DELETE /api/keys/:id": {
    may: "administer",
    summary: "Revoke a key; it is refused from now on",
    params: z.object({ id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
