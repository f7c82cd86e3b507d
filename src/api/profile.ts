import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Code, Password, Session } from "#api/session.ts";
import { Timestamp } from "#api/shapes.ts";

const OpenSession = z.object({
  id: z.string(),
  is_current: z.boolean(),
  address: z.string(),
  agent: z.string(),
  created_at: Timestamp,
  seen_at: Timestamp,
  expires_at: Timestamp,
});

/** What everybody manages for themselves. */
export const PROFILE_API = {
  "POST /api/profile/password": {
    may: "signed_in",
    keys: false,
    summary: "Change the own password; all other sessions end",
    body: z.strictObject({ current: Password, password: Password }),
    answer: Session,
  },
  "POST /api/profile/totp": {
    may: "signed_in",
    keys: false,
    stepUp: true,
    summary: "Begin a second factor: a secret for the authenticator, as text and as a picture",
    answer: z.object({
      secret: z.string(),
      uri: z.string(),
      qr_svg: z.string(),
      enrolment: z.string(),
    }),
  },
  "POST /api/profile/totp/confirm": {
    may: "signed_in",
    keys: false,
    stepUp: true,
    summary: "Keep the second factor, once it has shown a code; recovery codes are told this once",
    body: z.strictObject({ enrolment: z.string().min(1).max(500), code: Code }),
    answer: z.object({ recovery_codes: z.array(z.string()) }),
  },
  "DELETE /api/profile/totp": {
    may: "signed_in",
    keys: false,
    stepUp: true,
    summary: "Give up the second factor",
    answer: "nothing",
  },
  "GET /api/profile/sessions": {
    may: "signed_in",
    keys: false,
    summary: "Where the own account is signed in",
    answer: z.object({ items: z.array(OpenSession) }),
  },
  "DELETE /api/profile/sessions/:id": {
    may: "signed_in",
    keys: false,
    summary: "End one of the own sessions",
    params: z.object({ id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
