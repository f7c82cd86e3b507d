import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { findHiddenCharacter } from "#base/hidden-characters.ts";
import { lineText, Timestamp } from "#api/app/shapes.ts";
import { PASSWORD_PROBLEMS } from "#people/password.ts";
import { PERMISSIONS, ROLE_NAMES } from "#people/roles.ts";

export const Session = z.object({
  /** Null without a signed-in user. */
  person: z
    .object({
      kind: z.enum(["user", "key"]),
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      roles: z.array(z.enum(ROLE_NAMES)),
      permissions: z.array(z.enum(PERMISSIONS)),
      has_totp: z.boolean(),
      /**
       * Roles that require a second factor while the user has none. Until then they allow only
       * reading.
       */
      second_factor_missing: z.array(z.enum(ROLE_NAMES)),
      /** Until when the password or code that was entered last counts. */
      stepped_up_until: Timestamp.nullable(),
      /** The time zone that the user chose for the dashboard. Null: that of the browser. */
      time_zone: z.string().nullable(),
      mails_assignments: z.boolean(),
    })
    .nullable(),
  /** The value for the header `x-payrun-csrf`, required for every change. */
  csrf_token: z.string().nullable(),
  /** No real money moves in any environment except "live". */
  environment: z.enum(["live", "sandbox", "simulated"]),
  /** No user exists yet. The server prints a link that creates the first one. */
  setup_needed: z.boolean(),
});

export const Email = z.string().trim().max(200).pipe(z.email());
/**
 * Invisible characters would make two different names look the same. Joiners that a script needs
 * are allowed.
 */
export const PersonName = lineText(1, 100).refine(
  (name) => findHiddenCharacter(name)?.isJoiner ?? true,
  "a name without invisible characters: type the name instead of pasting it",
);
/** A password as typed. Its strength is checked separately. */
export const Password = z.string().min(1).max(1_000);
/** Why a new password would be refused; null: it would be accepted. */
export const PasswordCheck = z.object({ problem: z.enum(PASSWORD_PROBLEMS).nullable() });
/** Six digits from the authenticator app, or a recovery code. */
export const Code = z.string().trim().min(1).max(20);
const Token = z.string().min(1).max(100);

export const SESSION_API = {
  "GET /api/session": {
    permission: "public",
    summary: "Returns the signed-in user and their permissions",
    answer: Session,
  },
  "POST /api/session": {
    permission: "public",
    summary: "Signs in; the error `code_required` means that a second-factor code is required",
    body: z.strictObject({
      email: z.string().trim().min(1).max(200),
      password: Password,
      code: Code.optional(),
    }),
    answer: Session,
  },
  "DELETE /api/session": {
    permission: "signed_in",
    keys: false,
    summary: "Signs out",
    answer: "nothing",
  },
  "POST /api/session/step-up": {
    permission: "signed_in",
    keys: false,
    summary:
      "Checks your password again, or a code if you have a second factor or your roles require one; it counts for five minutes",
    body: z.strictObject({ code: Code.optional(), password: Password.optional() }),
    answer: z.object({ stepped_up_until: Timestamp }),
  },
  "POST /api/links/inspect": {
    permission: "public",
    summary: "Returns the purpose of a one-time link",
    body: z.strictObject({ token: Token }),
    answer: z.object({
      purpose: z.enum(["setup", "invite", "reset"]),
      email: z.string().nullable(),
      name: z.string().nullable(),
      expires_at: Timestamp,
    }),
  },
  "POST /api/links/password-check": {
    permission: "public",
    summary: "Checks whether the password for a one-time link is strong enough, without storing it",
    body: z.strictObject({
      token: Token,
      password: Password,
      email: z.string().max(200).optional(),
      name: z.string().max(200).optional(),
    }),
    answer: PasswordCheck,
  },
  "POST /api/links/use": {
    permission: "public",
    summary:
      "Sets a password using a one-time link and signs in; the first admin also enters a name and e-mail address",
    body: z.strictObject({
      token: Token,
      password: Password,
      email: Email.optional(),
      name: PersonName.optional(),
    }),
    answer: Session,
  },
  "GET /api/openapi.json": {
    permission: "public",
    summary: "Returns the OpenAPI 3.1 description of this API",
    answer: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies Record<string, ApiOperation>;
