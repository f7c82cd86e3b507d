import { z } from "zod";
import { LIMIT_SCOPE_NAMES } from "#approval/payout-limits.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Currency, RuleAmount, Timestamp } from "#api/app/shapes.ts";

const Limit = z.strictObject({
  scope: z.enum(LIMIT_SCOPE_NAMES),
  currency: Currency,
  amount: RuleAmount,
  /** False: a batch that exceeds it needs one more approver. */
  hard: z.boolean(),
});

/** An IANA time zone name. Plain offsets have opposite signs in different programs. */
const Zone = z
  .string()
  .max(60)
  .refine((zone) => /^[A-Za-z]/.test(zone) && isZone(zone), "a time zone such as Asia/Kolkata");

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}

export const LimitTerms = z.strictObject({
  zone: Zone,
  /** The rule for approvals that the known balance of a lane does not cover. */
  when_short: z.enum(["warn", "refuse"]),
  limits: z
    .array(Limit)
    .max(200)
    .refine(
      (limits) =>
        new Set(limits.map(({ scope, currency, hard }) => `${scope} ${currency} ${hard}`)).size ===
        limits.length,
      "the same limit is listed twice",
    ),
});

const Headroom = z.object({
  ...Limit.shape,
  says: z.string(),
  /** The amount used so far; null if the limit applies per batch, payout or account. */
  used: Amount.nullable(),
  left: Amount,
});

const Passed = z.object({
  scope: z.enum(LIMIT_SCOPE_NAMES),
  hard: z.boolean(),
  allowed: Amount,
  found: Amount,
  /** The previously approved part of the amount. */
  before: Amount,
  over: Amount,
  lines: z.array(z.number().int()),
  says: z.string(),
  remedy: z.string(),
});

/** The balance of a lane at the gateway and its reserved amount. */
const LaneAccount = z.object({
  lane: z.string(),
  /** The latest balance from the gateway; null if there was none. */
  balance: Amount.nullable(),
  reported_at: Timestamp.nullable(),
  /** The amount of approved payouts that are neither settled nor declined. */
  reserved: Amount,
  /** The amount of payouts that settled after the balance was reported. Null: it is too old. */
  settled_since: Amount.nullable(),
  /** Null if unknown. */
  free: Amount.nullable(),
  says: z.string(),
});

const Funds = z.object({
  ...LaneAccount.shape,
  needed: Amount,
  state: z.enum(["unknown", "enough", "short"]),
});

export const PAYOUT_LIMIT_API = {
  "GET /api/payout-limits": {
    permission: "read",
    summary: "Returns the payout limits",
    answer: LimitTerms,
  },
  "PUT /api/payout-limits": {
    permission: "administer",
    summary: "Changes the payout limits, starting with the next approval",
    body: LimitTerms,
    answer: LimitTerms,
    stepUp: true,
    keys: false,
  },
  "GET /api/payout-limits/headroom": {
    permission: "read",
    summary:
      "Returns the amount remaining under each payout limit and the balance of each lane; for per-uploader limits, the amount is your own",
    answer: z.object({
      zone: z.string(),
      items: z.array(Headroom),
      lanes: z.array(LaneAccount),
    }),
  },
  "GET /api/batches/:id/limits": {
    permission: "read",
    summary:
      "Returns the payout limits that a batch would exceed if approved now, and whether the balance covers the batch",
    params: z.object({ id: z.string().max(40) }),
    answer: z.object({
      /** The batch cannot be approved. */
      refused: z.boolean(),
      /** Number of additional approvers. */
      extra_people: z.union([z.literal(0), z.literal(1)]),
      exceeded: z.array(Passed),
      funds: z.array(Funds),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
