import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Amount, PageQuery, pageOf, Timestamp } from "#api/shapes.ts";
import { STATES, type PayoutState } from "#payout/lifecycle.ts";

const STATE_NAMES = Object.keys(STATES) as [PayoutState, ...PayoutState[]];
const State = z.enum(STATE_NAMES);

const text = (max: number) => z.string().trim().min(1).max(max);
const DecimalText = z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, "an amount such as 1200 or 99.50");

/** Whatever a payout is looked for by; all of them together must hold. */
export const PayoutFilter = z.strictObject({
  batch: text(40).optional(),
  /** Of the file; needs `batch`. */
  line: z.coerce.number().int().min(1).optional(),
  /** A transaction code, or how it begins. */
  code: text(64).optional(),
  /** One or more, with commas. */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(State))
    .optional(),
  /** A code of the catalogue, as `refused`. */
  reason: text(64).optional(),
  currency: text(10).toUpperCase().optional(),
  lane: text(64).optional(),
  amount: DecimalText.optional(),
  amount_from: DecimalText.optional(),
  amount_to: DecimalText.optional(),
  /** A whole account number, phone number or address. */
  account: text(140).optional(),
  account_last4: z.string().trim().length(4).optional(),
  /** Whole words of the beneficiary's name, in any order, without case and accents. */
  name: text(200).optional(),
  reference: text(200).optional(),
  gateway_number: text(128).optional(),
  bank: text(100).optional(),
  created_from: Timestamp.optional(),
  created_to: Timestamp.optional(),
  sent_from: Timestamp.optional(),
  sent_to: Timestamp.optional(),
  changed_from: Timestamp.optional(),
  changed_to: Timestamp.optional(),
});
export type PayoutFilter = z.output<typeof PayoutFilter>;

const PayoutQuery = z.strictObject({
  ...PayoutFilter.shape,
  ...PageQuery.shape,
  sort: z.enum(["newest", "oldest", "changed"]).default("newest"),
});

const Payout = z.object({
  code: z.string(),
  batch_id: z.string(),
  line: z.number().int(),
  state: State,
  reason: z.string().nullable(),
  ...Amount.shape,
  beneficiary: z.string().nullable(),
  account_last4: z.string().nullable(),
  bank: z.string().nullable(),
  reference: z.string().nullable(),
  gateway_number: z.string().nullable(),
  attempts: z.number().int(),
  sent_at: Timestamp.nullable(),
  updated_at: Timestamp,
});

const Found = z.object({
  payouts: z.array(Payout),
  batches: z.array(
    z.object({ id: z.string(), file_name: z.string(), state: z.string(), rows: z.number().int() }),
  ),
  /** The one thing that was meant: its code or number was given in full. */
  exact: z.object({ kind: z.enum(["payout", "batch"]), id: z.string() }).nullable(),
  /** How the words were understood, for people: "amount 1200". */
  understood: z.array(z.string()),
});

export const PAYOUT_API = {
  "GET /api/payouts": {
    may: "read",
    summary: "Payouts by any business field",
    query: PayoutQuery,
    answer: z.object({
      ...pageOf(Payout).shape,
      /** On the first page: how many there are, counted up to `count_max`. */
      count: z.number().int().nullable(),
      count_max: z.number().int(),
    }),
  },
  "GET /api/search": {
    may: "read",
    summary: "One box for code, batch, gateway number, amount, account, name and file name",
    query: z.strictObject({ q: text(200) }),
    answer: Found,
  },
} as const satisfies Record<string, Operation>;
