import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { line, Timestamp } from "#api/shapes.ts";
import { PERMISSIONS, ROLE_NAMES } from "#people/roles.ts";

export const Session = z.object({
  /** Null: nobody is signed in. */
  person: z
    .object({
      kind: z.enum(["user", "key"]),
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      roles: z.array(z.enum(ROLE_NAMES)),
      permissions: z.array(z.enum(PERMISSIONS)),
      has_totp: z.boolean(),
      /** Until when operations that ask for a second proof are open. */
      stepped_up_until: Timestamp.nullable(),
    })
    .nullable(),
  /** To be sent back as `x-payrun-csrf` with everything that changes something. */
  csrf_token: z.string().nullable(),
  /** Anything but "live": no real money moves. */
  environment: z.enum(["live", "sandbox", "simulated"]),
  /** There is no user yet: the server has printed a link that makes the first one. */
  setup_needed: z.boolean(),
});

export const Email = z.string().trim().max(200).pipe(z.email());
export const PersonName = line(1, 100);
/** What was typed, as long as it can be; whether it is a good one is said by a problem of its own. */
export const Password = z.string().min(1).max(1_000);
/** Six digits of the second factor, or a recovery code. */
export const Code = z.string().trim().min(1).max(20);
const Token = z.string().min(1).max(100);

export const SESSION_API = {
  "GET /api/session": {
    may: "public",
    summary: "Who is signed in, and what they may do",
    answer: Session,
  },
  "POST /api/session": {
    may: "public",
    summary: "Sign in; `code_required` asks for the code of the second factor as well",
    body: z.strictObject({
      email: z.string().trim().min(1).max(200),
      password: Password,
      code: Code.optional(),
    }),
    answer: Session,
  },
  "DELETE /api/session": {
    may: "signed_in",
    keys: false,
    summary: "Sign out",
    answer: "nothing",
  },
  "POST /api/session/step-up": {
    may: "signed_in",
    keys: false,
    summary:
      "Prove again who you are, for five minutes: by a code, or the password where there is no second factor",
    body: z.strictObject({ code: Code.optional(), password: Password.optional() }),
    answer: z.object({ stepped_up_until: Timestamp }),
  },
  "POST /api/links/look": {
    may: "public",
    summary: "What a one-time link is for",
    body: z.strictObject({ token: Token }),
    answer: z.object({
      purpose: z.enum(["setup", "invite", "reset"]),
      email: z.string().nullable(),
      name: z.string().nullable(),
      expires_at: Timestamp,
    }),
  },
  "POST /api/links/use": {
    may: "public",
    summary: "Choose a password by a one-time link, and enter; the first admin says who they are",
    body: z.strictObject({
      token: Token,
      password: Password,
      email: Email.optional(),
      name: PersonName.optional(),
    }),
    answer: Session,
  },
  "GET /api/openapi.json": {
    may: "signed_in",
    summary: "This API, described in OpenAPI 3.1",
    answer: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies Record<string, Operation>;
