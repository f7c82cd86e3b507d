import { z } from "zod";
import { Deposit } from "#api/deposits.ts";
import type { Operation } from "#api/operation.ts";
import { SendView } from "#api/send-times.ts";
import {
  Amount,
  Happening,
  LineNumber,
  note,
  PageQuery,
  pageOf,
  Timestamp,
  why,
} from "#api/shapes.ts";
import { Triage } from "#api/triage.ts";
import { STATES, type PayoutState } from "#payout/lifecycle.ts";

const STATE_NAMES = Object.keys(STATES) as [PayoutState, ...PayoutState[]];
const State = z.enum(STATE_NAMES);

const text = (max: number) => z.string().trim().min(1).max(max);
const DecimalText = z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, "an amount such as 1200 or 99.50");

/** Whatever a payout is looked for by; all of them together must hold. */
export const PayoutFilter = z.strictObject({
  batch: text(40).optional(),
  /** Of the file; needs `batch`. */
  line: LineNumber.min(1).optional(),
  /** A transaction code, or how it begins. */
  code: text(64).optional(),
  /** One or more, with commas. */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(State))
    .optional(),
  /** A code of the catalogue, as `refused`; or with what was said, as `refused: bank not found`. */
  reason: text(300).optional(),
  currency: text(10).toUpperCase().optional(),
  lane: text(64).optional(),
  amount: DecimalText.optional(),
  amount_from: DecimalText.optional(),
  amount_to: DecimalText.optional(),
  /** An account as `POST /api/account-filters` has sealed it: addresses are kept in the logs of proxies. */
  account: text(500).optional(),
  account_last4: z.string().trim().length(4).optional(),
  /** Whole words of the beneficiary's name, in any order, without case and accents. */
  name: text(200).optional(),
  reference: text(200).optional(),
  gateway_number: text(128).optional(),
  /** "-": those that name none. */
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

/** As lists show it. */
const ListedPayout = z.object({
  ...Payout.shape,
  /** What the last readable answers to questions about it said, and how often in a row; null: none was readable. */
  heard: z.object({ answer: z.enum(["not_found", "unclear"]), times: z.number().int() }).nullable(),
});

/** A payout with its whole story; what `payout:CODE` of the live stream carries. */
export const PayoutView = z.object({
  ...Payout.shape,
  reason_text: z.string().nullable(),
  /** Since when the gateway has given no readable answer about it; null: the last one was readable. */
  silent_since: Timestamp.nullable(),
  lane: z.string(),
  file_name: z.string(),
  batch_name: z.string().nullable(),
  /** The fields that are sent, with accounts and numbers covered but for their ends. */
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  /** What is sent beside them. `own`: it comes from the file. Null: not known here, or not sent. */
  payout_code: z.object({ text: z.string().nullable(), own: z.boolean() }),
  callback_url: z.object({ text: z.string().nullable(), own: z.boolean() }),
  outlook: z.object({
    moved: z.enum(["no", "maybe", "not yet", "yes", "see reason", "back"]),
    answer: z.string(),
    next: z.string(),
    next_at: Timestamp.nullable(),
    /**
     * The code is sent again at `until` at the earliest, and only if the gateway does not show it by then; null: the payout is
     * not waiting for that. "Waiting until … before sending again, because …".
     */
    wait: z
      .object({
        until: Timestamp,
        why: z.enum(["may_be_processed", "may_show_late"]),
        because: z.string(),
      })
      .nullable(),
  }),
  timeline: z.array(Happening),
  actions: z.array(
    z.object({
      action: z.enum(["ask", "close", "cancel", "resend", "replace"]),
      may: z.boolean(),
      why: z.string(),
    }),
  ),
  /** What somebody found out elsewhere, before an approver has agreed; only while the payout stands as it stood then. */
  closing: z
    .object({
      id: z.number().int(),
      arrived: z.boolean(),
      words: z.string(),
      proposed_by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
    })
    .nullable(),
  /** A proposal to end the wait before the code is sent again, which an approver has not confirmed yet. */
  wait_ending: z
    .object({
      id: z.number().int(),
      words: z.string(),
      proposed_by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
    })
    .nullable(),
  /** Who has taken it up; null: it went its way, or is still on it. */
  triage: z
    .object({
      ...Triage.shape,
      /** Who looks after all payouts of its cause; null: nobody. */
      cause_assigned_to: z.string().nullable(),
      /** Its line can be out of the way: it waits for people, and payrun does nothing about it by itself. */
      may_snooze: z.boolean(),
    })
    .nullable(),
  /** All payouts of its row, the first one first, where it was declined and paid again; else empty. */
  chain: z.array(z.object({ code: z.string(), batch_id: z.string(), state: State })),
  /** Others to the same account that came in lately. */
  related: z.array(ListedPayout),
  related_days: z.number().int(),
});
export type PayoutView = z.output<typeof PayoutView>;

const Found = z.object({
  payouts: z.array(ListedPayout),
  batches: z.array(
    z.object({
      id: z.string(),
      file_name: z.string(),
      name: z.string().nullable(),
      state: z.string(),
      rows: z.number().int(),
      /** When it goes out, where it has a time. */
      send: SendView.nullable(),
    }),
  ),
  deposits: z.array(Deposit),
  /** The one thing that was meant: its code or number was given in full. */
  exact: z.object({ kind: z.enum(["payout", "batch", "deposit"]), id: z.string() }).nullable(),
  /** How the words were understood, for people: "amount 1200". */
  understood: z.array(z.string()),
  /** The text may be an account, and was not searched as one: that takes the permission reveal. */
  accounts_left_out: z.boolean(),
});

const CodeParams = z.object({ code: text(64) });
const Words = why(3, 1_000);

export const PAYOUT_API = {
  "GET /api/payouts": {
    may: "read",
    summary: "Payouts by any business field",
    query: PayoutQuery,
    answer: z.object({
      ...pageOf(ListedPayout).shape,
      /** On the first page: how many there are, counted up to `count_max`. */
      count: z.number().int().nullable(),
      count_max: z.number().int(),
    }),
  },
  "POST /api/account-filters": {
    may: "reveal",
    summary:
      "Seal an account number, phone number or address to list payouts by it; each one is on the audit log, and how many come in a minute is limited",
    body: z.strictObject({ account: text(140) }),
    answer: z.object({ account: z.string() }),
  },
  "POST /api/search": {
    may: "read",
    summary:
      "One box for payouts, batches and deposits: code, gateway number, amount, name, name of a batch or its file, user, reference. A search by account takes the permission reveal, and is on the audit log",
    body: z.strictObject({ q: text(200) }),
    answer: Found,
  },
  "GET /api/payouts/:code": {
    may: "read",
    summary: "One payout: has money moved, what happens next, and everything on record",
    params: CodeParams,
    answer: PayoutView,
  },
  "POST /api/payouts/:code/ask": {
    may: "operate",
    summary: "Ask the gateway now; always safe",
    params: CodeParams,
    answer: PayoutView,
  },
  "POST /api/payouts/:code/close": {
    may: "operate",
    summary: "Say what became of a held payout; it is closed when an approver agrees",
    params: CodeParams,
    body: z.strictObject({
      /** Whether the money arrived, by what was found out elsewhere. */
      arrived: z.boolean(),
      /** By which evidence: a bank statement, a ticket of the gateway's support. */
      words: Words,
    }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/closing": {
    may: "approve",
    stepUp: true,
    keys: false,
    summary: "Agree to what another person says became of it, and so close it; or do not",
    params: CodeParams,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/end-wait": {
    may: "operate",
    summary: "Propose to end the wait before the code is sent again; an approver confirms it",
    params: CodeParams,
    body: z.strictObject({
      /** Why no earlier request can be in progress: what the gateway's support says, a ticket. */
      words: Words,
    }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/wait-ending": {
    may: "approve",
    stepUp: true,
    keys: false,
    summary: "Confirm or refuse another person's proposal to end the wait",
    params: CodeParams,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/reveal": {
    may: "reveal",
    summary: "Who is paid, in full; each look is on the audit log",
    params: CodeParams,
    body: z.strictObject({ reason: Words }),
    answer: z.object({ details: z.array(z.object({ field: z.string(), text: z.string() })) }),
  },
  "POST /api/payouts/:code/notes": {
    may: "operate",
    summary: "Leave a note on the payout, for good: it stands on the audit log",
    params: CodeParams,
    body: z.strictObject({ text: note(3, 1_000) }),
    answer: PayoutView,
  },
} as const satisfies Record<string, Operation>;
