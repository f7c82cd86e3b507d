import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Code, Password, PasswordCheck, Session } from "#api/app/session.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { isZone } from "#schedule/calendar.ts";

const OpenSession = z.object({
  id: z.string(),
  is_current: z.boolean(),
  address: z.string(),
  agent: z.string(),
  created_at: Timestamp,
  seen_at: Timestamp,
  expires_at: Timestamp,
});

/** Operations on the user's own account. */
export const PROFILE_API = {
  "POST /api/profile/password-check": {
    permission: "signed_in",
    keys: false,
    summary: "Checks whether a new password is strong enough, without storing it",
    body: z.strictObject({ password: Password }),
    answer: PasswordCheck,
  },
  "POST /api/profile/password": {
    permission: "signed_in",
    keys: false,
    summary: "Changes your password and ends your other sessions",
    body: z.strictObject({ current: Password, password: Password }),
    answer: Session,
  },
  "POST /api/profile/totp": {
    permission: "signed_in",
    keys: false,
    stepUp: "or_first_factor",
    secret: true,
    summary: "Starts setting up a second factor; returns the secret as text and as a QR code",
    answer: z.object({
      secret: z.string(),
      uri: z.string(),
      qr_svg: z.string(),
      enrolment: z.string(),
    }),
  },
  "POST /api/profile/totp/confirm": {
    permission: "signed_in",
    keys: false,
    stepUp: "or_first_factor",
    secret: true,
    summary: "Confirms the second factor with a code; the recovery codes are shown only once",
    body: z.strictObject({ enrolment: z.string().min(1).max(500), code: Code }),
    answer: z.object({ recovery_codes: z.array(z.string()) }),
  },
  "DELETE /api/profile/totp": {
    permission: "signed_in",
    keys: false,
    stepUp: true,
    summary: "Removes your second factor",
    answer: "nothing",
  },
  "PUT /api/profile/preferences": {
    permission: "signed_in",
    keys: false,
    summary: "Sets your preferences; those that are not given stay as they are",
    body: z.strictObject({
      time_zone: z
        .string()
        .max(60)
        .refine(isZone, "a time zone such as Asia/Kolkata")
        .nullable()
        .optional(),
      mails_assignments: z.boolean().optional(),
    }),
    answer: "nothing",
  },
  "GET /api/profile/sessions": {
    permission: "signed_in",
    keys: false,
    summary: "Lists your sessions",
    answer: z.object({ items: z.array(OpenSession) }),
  },
  "DELETE /api/profile/sessions/:id": {
    permission: "signed_in",
    keys: false,
    summary: "Ends one of your sessions",
    params: z.object({ id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
