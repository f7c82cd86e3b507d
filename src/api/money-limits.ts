import { z } from "zod";
import { LIMIT_SCOPE_NAMES } from "#batch/money-limits.ts";
import type { Operation } from "#api/operation.ts";
import { Amount, Currency, RuleAmount, Timestamp } from "#api/shapes.ts";

const Limit = z.strictObject({
  scope: z.enum(LIMIT_SCOPE_NAMES),
  currency: Currency,
  amount: RuleAmount,
  /** False: what passes it takes one more person. */
  hard: z.boolean(),
});

/** A name of the IANA zones; bare offsets mean opposite things to different programs. */
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
  /** What happens to an approval that the balance of a lane is not known to cover. */
  when_short: z.enum(["warn", "refuse"]),
  limits: z
    .array(Limit)
    .max(200)
    .refine(
      (limits) =>
        new Set(limits.map(({ scope, currency, hard }) => `${scope} ${currency} ${hard}`)).size ===
        limits.length,
      "a limit stands there twice",
    ),
});

const Headroom = z.object({
  ...Limit.shape,
  says: z.string(),
  /** Counted already; null: it is counted per batch, payout or account. */
  used: Amount.nullable(),
  left: Amount,
});

const Passed = z.object({
  scope: z.enum(LIMIT_SCOPE_NAMES),
  hard: z.boolean(),
  allowed: Amount,
  found: Amount,
  /** Of what was found, approved before. */
  before: Amount,
  over: Amount,
  lines: z.array(z.number().int()),
  says: z.string(),
  remedy: z.string(),
});

/** What is in a lane's account at the gateway, and what of it is spoken for. */
const LaneAccount = z.object({
  lane: z.string(),
  /** As the gateway told it last; null: never. */
  balance: Amount.nullable(),
  told_at: Timestamp.nullable(),
  /** Approved, and not known to have left the account before it was told. */
  reserved: Amount,
  /** Null: not known. */
  free: Amount.nullable(),
  says: z.string(),
});

const Funds = z.object({
  ...LaneAccount.shape,
  needed: Amount,
  state: z.enum(["unknown", "enough", "short"]),
});

export const MONEY_LIMIT_API = {
  "GET /api/money-limits": {
    may: "read",
    summary: "How much money may be approved",
    answer: LimitTerms,
  },
  "PUT /api/money-limits": {
    may: "administer",
    summary: "Change how much money may be approved, from the next approval on",
    body: LimitTerms,
    answer: LimitTerms,
    stepUp: true,
    keys: false,
  },
  "GET /api/money-limits/headroom": {
    may: "read",
    summary:
      "What is left of each limit now (of an uploader's, for whoever asks) and of each lane's balance",
    answer: z.object({
      zone: z.string(),
      items: z.array(Headroom),
      lanes: z.array(LaneAccount),
    }),
  },
  "GET /api/batches/:id/limits": {
    may: "read",
    summary:
      "The limits that a batch would pass if it were approved now, and whether its money is there",
    params: z.object({ id: z.string().max(40) }),
    answer: z.object({
      /** Nobody can approve it. */
      refused: z.boolean(),
      /** People more than otherwise. */
      extra_people: z.union([z.literal(0), z.literal(1)]),
      passed: z.array(Passed),
      funds: z.array(Funds),
    }),
  },
} as const satisfies Record<string, Operation>;
