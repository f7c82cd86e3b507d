import { z } from "zod";
import { DEPOSIT_STATES, type DepositState } from "#deposit/lifecycle.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, TimelineEntry, lineText, Timestamp, reasonText } from "#api/app/shapes.ts";

const STATE_NAMES = Object.keys(DEPOSIT_STATES) as [DepositState, ...DepositState[]];
/** The name of a state of a deposit. */
export const DepositStateName = z.enum(STATE_NAMES);

const text = (max: number) => lineText(1, max);
const DecimalText = z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, "an amount such as 1200 or 99.50");
const Code = z.object({ code: text(64) });

const NewDeposit = z.strictObject({
  currency: text(10).toUpperCase(),
  amount: DecimalText,
  /** The merchant's identifier of the paying user. */
  user_id: text(100),
  deposit_name: text(100).optional(),
  /** Required for TRY. */
  identity_id: text(50).optional(),
  /** Required for BDT: 11 digits without a country code. */
  phone: text(20).optional(),
  /** Required by some payment methods. */
  bank_code: text(50).optional(),
  /** Overrides the merchant's payment method. */
  payment_code: text(50).optional(),
  /** The merchant's reference, such as an order number. Stored and shown, never sent. */
  reference: text(200).optional(),
});

/** An exact decimal in the deposit's currency. */
const InCurrency = Amount.shape.amount.nullable();

export const Deposit = z.object({
  code: z.string(),
  state: DepositStateName,
  reason: z.string().nullable(),
  /** The requested amount. */
  ...Amount.shape,
  /** The amount the gateway asks the payer to pay; null if unknown. */
  payable: InCurrency,
  /**
   * The amount the gateway reports for a completed deposit, which may differ from the requested
   * amount; null until proven.
   */
  paid: InCurrency,
  user_id: z.string(),
  deposit_name: z.string().nullable(),
  is_erased: z.boolean(),
  reference: z.string().nullable(),
  gateway_number: z.string().nullable(),
  attempts: z.number().int(),
  /**
   * When the deposit expires; null if the gateway gave no time, or a time zone that payrun cannot
   * read.
   */
  expires_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Where the payer pays. All texts come from the gateway. */
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

/** The recorded result before an approver confirms it. Void once the deposit changes. */
const Resolution = z.object({
  id: z.number().int(),
  /** The received amount; null if no money arrived. */
  received: InCurrency,
  evidence: z.string(),
  proposed_by: z.object({ actor: z.string(), name: z.string() }),
  at: Timestamp,
});

/** A deposit with its history. */
export const DepositView = z.object({
  ...Deposit.shape,
  reason_text: z.string().nullable(),
  /** KRW only: 2 once the payer's account was sent. */
  step: z.union([z.literal(1), z.literal(2)]),
  lane: z.string(),
  created_by: z.string(),
  /** `expired_at` and `expired_timezone` as the gateway sent them. */
  expires: z.object({ text: z.string(), zone: z.string() }).nullable(),
  destination: Destination.nullable(),
  /** The banks to choose from; empty if any bank code is accepted; null if no bank is required. */
  banks: z.array(z.object({ code: z.string(), name: z.string() })).nullable(),
  /** The payer's account, masked except for its end. */
  depositor: z.object({ bank_code: z.string(), account_number: z.string() }).nullable(),
  /** The fields sent to the gateway; numbers are masked except for their ends. */
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  outlook: z.object({
    paid: z.enum(["no", "not_yet", "maybe", "yes", "late", "see_reason"]),
    answer: z.string(),
    next: z.string(),
    next_at: Timestamp.nullable(),
  }),
  timeline: z.array(TimelineEntry),
  resolution: Resolution.nullable(),
  actions: z.array(z.enum(["query", "krw_account", "reference", "resolve"])),
});
export type DepositView = z.output<typeof DepositView>;

/**
 * The address of the payment page, for the payer only: it grants everything that the payer may do.
 */
const PayUrl = z.object({ pay_url: z.url() });

export const DEPOSIT_API = {
  "POST /api/deposits": {
    permission: "collect",
    summary:
      "Requests a deposit from the gateway. If the gateway does not return a conclusive response, the deposit is in doubt and payrun queries its status. Reusing an Idempotency-Key never creates a second deposit",
    body: NewDeposit,
    answer: z.object({ ...DepositView.shape, ...PayUrl.shape }),
    creates: true,
  },
  "GET /api/deposits/:code": {
    permission: "read",
    summary: "Returns a deposit with its history",
    params: Code,
    answer: DepositView,
  },
  "GET /api/deposits/:code/pay-url": {
    permission: "collect",
    summary: "Returns the URL of the payment page for the payer",
    params: Code,
    answer: PayUrl,
  },
  "POST /api/deposits/:code/query": {
    permission: "operate",
    summary: "Queries the deposit's status at the gateway now; this is always safe",
    params: Code,
    answer: DepositView,
  },
  "POST /api/deposits/:code/krw-account": {
    permission: "collect",
    summary:
      "Sends the payer's account to the gateway (the second step of a KRW deposit) and returns the payment instructions",
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
    permission: "collect",
    summary: "Sends the payer's bank reference (UTR) to the gateway, if the gateway accepts one",
    params: Code,
    body: z.strictObject({ reference: text(40) }),
    answer: DepositView,
  },
  "POST /api/deposits/:code/resolve": {
    permission: "operate",
    summary: "Records the result of an on-hold deposit; an approver must confirm it",
    params: Code,
    body: z.strictObject({
      /** The received amount according to the evidence; null if no money arrived. */
      received: DecimalText.nullable(),
      /** The evidence, such as a bank statement or a support ticket of the gateway. */
      evidence: reasonText(3, 500),
    }),
    answer: DepositView,
  },
  "POST /api/deposits/:code/resolution": {
    permission: "approve",
    stepUp: true,
    keys: false,
    summary: "Confirms or rejects the recorded result of a deposit",
    params: Code,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: DepositView,
  },
} as const satisfies Record<string, ApiOperation>;
