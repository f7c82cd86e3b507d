import { z } from "zod";
import { Actor, RulesInput } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { LimitTerms } from "#api/approval/payout-limits.ts";
import { RetentionTerms } from "#api/integrity/retention.ts";
import { OneTimeLink, Roles } from "#api/people/people.ts";
import { FactorPolicy } from "#api/people/second-factor-policy.ts";
import { Email, PersonName } from "#api/app/session.ts";
import { Timestamp } from "#api/app/shapes.ts";

const UserName = z.string().max(40);

/** Changes that need a second admin, with the same body as the direct operation. */
const AdminChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approval_rules"), ...RulesInput.shape }),
  z.strictObject({ kind: z.literal("payout_limits"), ...LimitTerms.shape }),
  z.strictObject({ kind: z.literal("invite"), email: Email, name: PersonName, roles: Roles }),
  z.strictObject({ kind: z.literal("second_factor_policy"), ...FactorPolicy.shape }),
  z.strictObject({ kind: z.literal("retention"), ...RetentionTerms.shape }),
  z.strictObject({ kind: z.literal("detach_archive"), archive_id: z.string().max(40) }),
  z.strictObject({ kind: z.literal("roles"), user_id: UserName, roles: Roles }),
  z.strictObject({ kind: z.literal("enable"), user_id: UserName }),
  z.strictObject({ kind: z.literal("link"), user_id: UserName, drop_totp: z.boolean() }),
]);

const PendingChange = z.object({
  id: z.string(),
  kind: z.enum([
    "approval_rules",
    "payout_limits",
    "second_factor_policy",
    "retention",
    "detach_archive",
    "invite",
    "roles",
    "enable",
    "link",
    "key",
  ]),
  /** The effects, line by line, for the confirming admin. */
  says: z.array(z.string()),
  proposed_by: Actor,
  at: Timestamp,
  expires_at: Timestamp,
  /** When the change of a lone admin takes effect; null: another admin must confirm it. */
  takes_effect_at: Timestamp.nullable(),
  own: z.boolean(),
  /** You can confirm it now, or fetch the link of your own change after its 24 hours. */
  may_confirm: z.boolean(),
});

const ChangeParams = z.object({ id: z.string().max(40) });

export const PENDING_CHANGE_API = {
  "GET /api/pending-changes": {
    permission: "read",
    keys: false,
    summary:
      "Lists the changes awaiting a second admin or the end of their 24-hour delay. Admins see all changes, approvers see the changes proposed by the only admin, and other users see their own",
    answer: z.object({
      items: z.array(PendingChange),
      /** Other admins who can sign in. Without any, changes take effect after 24 hours. */
      other_admins: z.number().int(),
      /** During the setup, the changes of a lone admin take effect immediately. */
      is_set_up: z.boolean(),
    }),
  },
  "POST /api/pending-changes": {
    permission: "administer",
    stepUp: true,
    keys: false,
    creates: true,
    summary:
      "Proposes a change that needs a second admin, such as a change to approval rules, limits, approvers or admins, or the removal of a lost second factor",
    body: AdminChange,
    answer: z.object({ id: z.string() }),
  },
  "POST /api/pending-changes/:id/confirm": {
    permission: "administer",
    stepUp: true,
    keys: false,
    secret: true,
    summary:
      "Confirms another person's change or, if you are the only admin, applies your own after its 24-hour delay; if the change creates a link, the link is shown only once",
    params: ChangeParams,
    answer: z.object({ link: OneTimeLink.nullable() }),
  },
  "POST /api/pending-changes/:id/withdraw": {
    permission: "read",
    keys: false,
    summary:
      "Withdraws your proposal or rejects another person's; an approver may reject a change proposed by the only admin",
    params: ChangeParams,
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
