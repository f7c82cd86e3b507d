import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { reasonText, Timestamp } from "#api/app/shapes.ts";
import { CLOSE_REFUSAL_CODES } from "#reconciliation/day-close.ts";

const Person = z.object({ actor: z.string(), name: z.string() });
const Day = z.iso.date();
const Lane = z.string().min(1).max(100);
/** A decimal text in the currency of the lane. */
const Amount = z.string();
/** A signed amount as a person enters it. */
const Entered = z.string().regex(/^-?\d{1,30}(\.\d{1,8})?$/, "is not an amount such as 1000.50");

const DayState = z.enum(["open", "closed", "broken", "reopened"]);
const Verdict = z.enum(["agreed", "open_breaks", "difference", "not_observed"]);
export const ReopeningCauseName = z.enum([
  "settlement",
  "return",
  "resolution",
  "fee",
  "deposit",
  "break",
  "statement",
  "adjustment",
  "opening_balance",
  "person",
]);

const Reopening = z.object({
  cause: ReopeningCauseName,
  cause_text: z.string(),
  /** A transaction code, a statement, or the number of a break or proposal. */
  object: z.string().nullable(),
  by: Person,
  at: Timestamp,
});

const ListedDay = z.object({
  lane: z.string(),
  day: Day,
  state: DayState,
  verdict: Verdict,
  verdict_text: z.string(),
  version: z.int(),
  currency: z.string(),
  closing: Amount,
  /** Null: the balance was not observed. */
  difference: Amount.nullable(),
  open_breaks: z.int(),
  reopening: Reopening.nullable(),
});
export type ListedDay = z.output<typeof ListedDay>;

const LaneReconciliation = z.object({
  lane: z.string(),
  /** Null: the lane has no opening balance. */
  zone: z.string().nullable(),
  first_day: Day.nullable(),
  /** The newest statement that counts. Null: there is none. */
  last_statement: z
    .object({ day: Day, file_name: z.string(), is_compared: z.boolean() })
    .nullable(),
  /** The first statement with balances. Null: there is none. */
  opening_statement: z
    .object({ day: Day, file_name: z.string(), currency: z.string(), opening: Amount })
    .nullable(),
  last_closed_day: Day.nullable(),
  /** Days that are over and not closed. Null: the lane has no opening balance. */
  open_days: z.int().nullable(),
  unresolved_breaks: z.int(),
});
export type LaneReconciliation = z.output<typeof LaneReconciliation>;

const Movement = z.object({
  name: z.enum(["deposits", "payouts", "fees", "returns", "resolutions", "adjustments"]),
  amount: Amount,
  count: z.int(),
});

const Figures = z.object({
  opening: Amount,
  movements: z.array(Movement),
  closing: Amount,
  observed: Amount.nullable(),
  observed_statement: z.string().nullable(),
  difference: Amount.nullable(),
  payouts_without_fee: z.int(),
  payouts_returned_since: z.int(),
  open_payouts: z.int(),
  open_breaks: z.int(),
});
export type Figures = z.output<typeof Figures>;

const Proposal = z.object({
  id: z.int(),
  kind: z.enum(["adjustment", "reopening"]),
  /** Null for a reopening. */
  amount: Amount.nullable(),
  reason: z.string(),
  by: Person,
  is_own: z.boolean(),
  /** The approver who agreed. Null: it waits for a decision. */
  decided_by: Person.nullable(),
  /** False: nobody could confirm it. */
  by_two: z.boolean(),
});

const Version = z.object({
  version: z.int(),
  digest: z.string(),
  by: Person,
  at: Timestamp,
  closing: Amount,
  difference: Amount.nullable(),
  verdict: Verdict,
  verdict_text: z.string(),
  reopening: Reopening.nullable(),
});

const DayView = z.object({
  lane: z.string(),
  day: Day,
  currency: z.string(),
  zone: z.string(),
  starts_at: Timestamp,
  ends_at: Timestamp,
  state: DayState,
  /** The shown version. Null: the figures are those that a close would have now. */
  version: z.int().nullable(),
  /** Null: the day cannot be computed yet, because the day before is open. */
  figures: Figures.nullable(),
  /** How the shown version was closed. Null: no version is shown. */
  verdict: Verdict.nullable(),
  verdict_text: z.string().nullable(),
  /** Unresolved breaks of the day now. */
  unresolved_breaks: z.int(),
  /** The first deposits, returns and manual resolutions of the day. */
  items: z.array(
    z.object({
      movement: z.enum(["deposits", "returns", "resolutions"]),
      code: z.string(),
      amount: Amount,
      at: Timestamp,
    }),
  ),
  items_total: z.int(),
  /** Payouts that settled on the day and count on another one. */
  counted_elsewhere: z.int(),
  /** Payouts that count on the day and settled on another one. */
  settled_elsewhere: z.int(),
  proposals: z.array(Proposal),
  /** Newest first. */
  versions: z.array(Version),
  /** ID of the current statement of the day; null: there is none. */
  statement: z.string().nullable(),
  /** The name of its file; null without a statement. */
  statement_file: z.string().nullable(),
  close: z.object({
    may: z.boolean(),
    why_not: z.string().nullable(),
    /** The code of `why_not`. */
    reason: z.enum(CLOSE_REFUSAL_CODES).nullable(),
  }),
});
export type DayView = z.output<typeof DayView>;

const params = z.object({ day: Day });
const body = { lane: Lane };
const VersionNumber = z.coerce.number().int().min(1).max(2_147_483_647);

export const DAY_API = {
  "GET /api/reconciliation-lanes": {
    permission: "read",
    summary: "Lists all lanes with their last statement, closed days and unresolved breaks",
    answer: z.object({ items: z.array(LaneReconciliation) }),
  },
  "GET /api/days": {
    permission: "read",
    summary: "Lists the closed business days of a month",
    query: z.strictObject({
      month: z.string().regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, "is not a month such as 2026-11"),
      lane: Lane.optional(),
    }),
    answer: z.object({
      /** Lanes with an opening balance. */
      lanes: z.array(
        z.object({
          lane: z.string(),
          zone: z.string(),
          first_day: Day,
          /** The next day to close. */
          next_day: Day,
        }),
      ),
      /** Lanes without an opening balance. */
      other_lanes: z.array(z.string()),
      items: z.array(ListedDay),
    }),
  },
  "GET /api/days/:day": {
    permission: "read",
    summary: "Shows a business day of a lane: its figures, breaks, proposals and versions",
    params,
    query: z.strictObject({ ...body, version: VersionNumber.optional() }),
    answer: DayView,
  },
  "GET /api/days/:day/report": {
    permission: "read",
    summary: "Downloads the report of a business day",
    params,
    query: z.strictObject({
      ...body,
      version: VersionNumber.optional(),
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
  "GET /api/days/:day/document": {
    permission: "read",
    summary: "Downloads the document whose digest is in the audit log",
    params,
    query: z.strictObject({ ...body, version: VersionNumber.optional() }),
    answer: "file",
  },
  "POST /api/days/:day/open": {
    permission: "operate",
    summary: "Sets the first business day of a lane and its opening balance",
    params,
    body: z
      .strictObject({
        ...body,
        /** Absent: that of the statement of the day. */
        balance: Entered.optional(),
        reason: reasonText(3, 1_000).optional(),
        zone: z.string().max(60).optional(),
      })
      .refine(({ balance, reason }) => balance === undefined || reason !== undefined, {
        message: "is required with a balance",
        path: ["reason"],
      }),
    answer: DayView,
  },
  "POST /api/days/:day/close": {
    permission: "operate",
    summary: "Closes a business day of a lane",
    params,
    body: z.strictObject(body),
    answer: DayView,
  },
  "POST /api/days/:day/adjust": {
    permission: "operate",
    summary: "Proposes an adjustment that explains a difference; an approver must confirm it",
    params,
    body: z.strictObject({ ...body, amount: Entered, reason: reasonText(3, 1_000) }),
    answer: DayView,
  },
  "POST /api/days/:day/reopen": {
    permission: "operate",
    summary: "Proposes to reopen a closed business day; an approver must confirm it",
    params,
    body: z.strictObject({ ...body, reason: reasonText(3, 1_000) }),
    answer: DayView,
  },
  "POST /api/days/:day/decide": {
    permission: "approve",
    keys: false,
    summary: "Confirms or rejects a proposal for a business day; the proposer cannot",
    params,
    body: z.strictObject({
      ...body,
      agree: z.boolean(),
      /** The ID of the proposal that you saw. */
      proposal: z.int().min(1),
    }),
    answer: DayView,
  },
} as const satisfies Record<string, ApiOperation>;
