import { z } from "zod";
import { DEPOSIT_STATES, type DepositState } from "#deposit/lifecycle.ts";
import type { Operation } from "#api/operation.ts";
import { Amount, Happening, line, PageQuery, pageOf, Timestamp, why } from "#api/shapes.ts";

const STATE_NAMES = Object.keys(DEPOSIT_STATES) as [DepositState, ...DepositState[]];
const State = z.enum(STATE_NAMES);

const text = (max: number) => line(1, max);
const DecimalText = z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, "an amount such as 1200 or 99.50");
const Code = z.object({ code: text(64) });

const NewDeposit = z.strictObject({
  currency: text(10).toUpperCase(),
  amount: DecimalText,
  /** The operator's own key for the user who pays. */
  user_id: text(100),
  deposit_name: text(100).optional(),
  /** Needed for TRY. */
  identity_id: text(50).optional(),
  /** Needed for BDT: 11 digits, no country code. */
  phone: text(20).optional(),
  /** Where the payment method asks for one. */
  bank_code: text(50).optional(),
  /** Overrides the payment method of the merchant. */
  payment_code: text(50).optional(),
  /** The operator's own name for the deposit, such as an order number; kept and shown, never sent. */
  reference: text(200).optional(),
});

const DepositQuery = z.strictObject({
  ...PageQuery.shape,
  /** A transaction code, or how it begins. */
  code: text(64).optional(),
  /** One or more, with commas. */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(State))
    .optional(),
  currency: text(10).toUpperCase().optional(),
  user_id: text(100).optional(),
  reference: text(200).optional(),
  gateway_number: text(128).optional(),
  created_from: Timestamp.optional(),
  created_to: Timestamp.optional(),
});

/** An exact decimal in the deposit's currency. */
const InCurrency = Amount.shape.amount.nullable();

export const Deposit = z.object({
  code: z.string(),
  state: State,
  reason: z.string().nullable(),
  /** What was asked for. */
  ...Amount.shape,
  /** What the gateway tells the payer to pay; null: it has not told. */
  payable: InCurrency,
  /** What the gateway reports of a completed deposit; null: nothing is proven. It may differ from what was asked for. */
  paid: InCurrency,
  user_id: z.string(),
  deposit_name: z.string().nullable(),
  reference: z.string().nullable(),
  gateway_number: z.string().nullable(),
  attempts: z.number().int(),
  /** When the time to pay is over; null: not told, or told in a zone that cannot be read. */
  expires_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Where the payer pays to; all texts are the gateway's. */
const Destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("upi"), upi_id: z.string(), qr_url: z.string().nullable() }),
  z.object({
    kind: z.literal("wallet"),
    wallet_number: z.string(),
    wallet_number_type: z.string().nullable(),
    wallet_name: z.string(),
    wallet_code: z.string(),
  }),
  z.object({
    kind: z.literal("match_code"),
    wallet_number: z.string(),
    wallet_name: z.string(),
    wallet_code: z.string(),
    match_code: z.string(),
  }),
  z.object({ kind: z.literal("bank"), account_number: z.string(), account_name: z.string() }),
  z.object({
    kind: z.literal("krw_account"),
    bank_name: z.string(),
    account_name: z.string(),
    account_number: z.string(),
  }),
]);

/** What somebody found out elsewhere, before an approver has agreed; only while the deposit stands as it stood then. */
const Closing = z.object({
  id: z.number().int(),
  /** What came in; null: nothing did. */
  came_in: InCurrency,
  words: z.string(),
  proposed_by: z.object({ actor: z.string(), name: z.string() }),
  at: Timestamp,
});

/** A deposit with its whole story. */
export const DepositView = z.object({
  ...Deposit.shape,
  reason_text: z.string().nullable(),
  /** Of KRW: 2 once the payer's account was handed in. */
  step: z.union([z.literal(1), z.literal(2)]),
  lane: z.string(),
  created_by: z.string(),
  /** `expired_at` and `expired_timezone` as the gateway wrote them. */
  expires: z.object({ text: z.string(), zone: z.string() }).nullable(),
  destination: Destination.nullable(),
  /** The banks to choose from; empty: any bank code is taken. Null: none are asked for. */
  banks: z.array(z.object({ code: z.string(), name: z.string() })).nullable(),
  /** The account that the payer pays from, covered but for its end. */
  depositor: z.object({ bank_code: z.string(), account_number: z.string() }).nullable(),
  /** The fields that are sent, with numbers covered but for their ends. */
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  outlook: z.object({
    paid: z.enum(["no", "not yet", "maybe", "yes", "late", "see reason"]),
    answer: z.string(),
    next: z.string(),
    next_at: Timestamp.nullable(),
  }),
  timeline: z.array(Happening),
  closing: Closing.nullable(),
  actions: z.array(z.enum(["ask", "krw_account", "reference", "close"])),
});
export type DepositView = z.output<typeof DepositView>;

/** The payment page, for the payer alone: whoever has it may do there what the payer may. */
const PayUrl = z.object({ pay_url: z.url() });

export const DEPOSIT_API = {
  "POST /api/deposits": {
    may: "collect",
    summary:
      "Asks the gateway for a deposit and answers with what it said; without an answer the state says so, and the deposit is looked up. The same Idempotency-Key never makes a second one",
    body: NewDeposit,
    answer: z.object({ ...DepositView.shape, ...PayUrl.shape }),
    creates: true,
  },
  "GET /api/deposits": {
    may: "read",
    summary: "Deposits by whatever they are looked for by, the newest first",
    query: DepositQuery,
    answer: pageOf(Deposit),
  },
  "GET /api/deposits/:code": {
    may: "read",
    summary: "A deposit with its whole story",
    params: Code,
    answer: DepositView,
  },
  "GET /api/deposits/:code/pay-url": {
    may: "collect",
    summary: "The address of its payment page, to be handed to the payer",
    params: Code,
    answer: PayUrl,
  },
  "POST /api/deposits/:code/ask": {
    may: "operate",
    summary: "Asks the gateway about it now and records what it proves; always safe",
    params: Code,
    answer: DepositView,
  },
  "POST /api/deposits/:code/krw-account": {
    may: "collect",
    summary:
      "Hands in the account that the payer pays from, the second step of a KRW deposit; the answer tells where to pay",
    params: Code,
    body: z.strictObject({
      bank_code: text(100),
      account_number: z
        .string()
        .trim()
        .regex(/^[0-9-]{4,40}$/, "4 to 40 digits or dashes"),
    }),
    answer: DepositView,
  },
  "POST /api/deposits/:code/reference": {
    may: "collect",
    summary: "Hands in what the payer's bank calls the payment (UTR), where the gateway takes one",
    params: Code,
    body: z.strictObject({ reference: text(40) }),
    answer: DepositView,
  },
  "POST /api/deposits/:code/close": {
    may: "operate",
    summary:
      "Says what became of a deposit that the gateway does not explain (state manual); it is closed when an approver agrees",
    params: Code,
    body: z.strictObject({
      /** What came in by what was found out elsewhere; null: nothing did. */
      came_in: DecimalText.nullable(),
      /** By which evidence: a bank statement, a ticket of the gateway's support. */
      words: why(3, 500),
    }),
    answer: DepositView,
  },
  "POST /api/deposits/:code/closing": {
    may: "approve",
    stepUp: true,
    keys: false,
    summary: "Agrees to what another person says became of it, and so closes it; or does not",
    params: Code,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: DepositView,
  },
} as const satisfies Record<string, Operation>;
