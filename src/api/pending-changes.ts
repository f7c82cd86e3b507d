import { z } from "zod";
import { Actor, RulesGiven } from "#api/approvals.ts";
import type { Operation } from "#api/operation.ts";
import { LimitTerms } from "#api/money-limits.ts";
import { OneTimeLink, Roles } from "#api/people.ts";
import { Email, PersonName } from "#api/session.ts";
import { Timestamp } from "#api/shapes.ts";

const UserName = z.string().max(40);

/** What takes a second admin, with what the operation that would do it at once is given. */
const AdminChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approval_rules"), ...RulesGiven.shape }),
  z.strictObject({ kind: z.literal("money_limits"), ...LimitTerms.shape }),
  z.strictObject({ kind: z.literal("invite"), email: Email, name: PersonName, roles: Roles }),
  z.strictObject({ kind: z.literal("roles"), user_id: UserName, roles: Roles }),
  z.strictObject({ kind: z.literal("enable"), user_id: UserName }),
  z.strictObject({ kind: z.literal("link"), user_id: UserName, drop_totp: z.boolean() }),
]);

const PendingChange = z.object({
  id: z.string(),
  kind: z.enum(["approval_rules", "money_limits", "invite", "roles", "enable", "link"]),
  /** What it does, line by line, for whoever confirms it. */
  says: z.array(z.string()),
  proposed_by: Actor,
  at: Timestamp,
  expires_at: Timestamp,
  /** Whoever asks has proposed it, and so cannot confirm it. */
  own: z.boolean(),
});

const ChangeParams = z.object({ id: z.string().max(40) });

export const PENDING_CHANGE_API = {
  "GET /api/pending-changes": {
    may: "administer",
    summary: "What one admin has proposed and another one has to confirm",
    answer: z.object({
      items: z.array(PendingChange),
      /** Other admins who can sign in; with none, changes take effect at once. */
      other_admins: z.number().int(),
    }),
  },
  "POST /api/pending-changes": {
    may: "administer",
    stepUp: true,
    keys: false,
    creates: true,
    summary:
      "Propose what takes a second admin: rules of approval, limits, approvers, admins, a lost second factor",
    body: AdminChange,
    answer: z.object({ id: z.string() }),
  },
  "POST /api/pending-changes/:id/confirm": {
    may: "administer",
    stepUp: true,
    keys: false,
    secret: true,
    summary:
      "Confirm what another admin has proposed; it takes effect, and a link that it makes is shown this once",
    params: ChangeParams,
    answer: z.object({ link: OneTimeLink.nullable() }),
  },
  "POST /api/pending-changes/:id/withdraw": {
    may: "administer",
    keys: false,
    summary: "Take a proposal back, or say no to that of another admin",
    params: ChangeParams,
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
