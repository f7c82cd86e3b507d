import { z } from "zod";
import { BATCH_STATES, type BatchState } from "#intake/batch/batch-lifecycle.ts";
import { PRIORITIES } from "#payout/priority.ts";
import { ROW_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import { ProblemView, StoredAsNumber } from "#api/intake/reading.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SentByDefault } from "#api/approval/sent-rows.ts";
import { SendTimeInput, SendTimeView } from "#api/schedule/send-times.ts";
import {
  Amount,
  CellChange,
  Currency,
  RuleAmount,
  Timestamp,
  reasonText,
} from "#api/app/shapes.ts";

const BatchParams = z.object({ id: z.string().max(40) });
export const BatchStateName = z.enum(Object.keys(BATCH_STATES) as [BatchState, ...BatchState[]]);
/** The number of people that a batch needs, including its maker. */
export const People = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const ReasonWords = reasonText(3, 500);

/** The total of the valid rows in one currency. */
export const Total = z.object({ ...Amount.shape, payouts: z.number().int() });

/** A recorded actor and the display name. */
export const Actor = z.object({ actor: z.string(), name: z.string() });

const GivenApproval = z.object({
  user_id: z.string(),
  name: z.string(),
  at: Timestamp,
  expires_at: Timestamp,
  withdrawn_at: Timestamp.nullable(),
  withdrawn_reason: z.string().nullable(),
  /** The approval is valid: it is for the current content, and its approver may still approve. */
  live: z.boolean(),
});

/** The number of people that a batch needs, and those still missing. */
export const Policy = z.object({
  /** Includes the maker. */
  people: People,
  why: z.string(),
  /** One more approver is needed because the batch exceeds a soft limit. */
  limit_people: z.union([z.literal(0), z.literal(1)]),
  given: z.number().int(),
  missing: z.number().int(),
  /** Names of the users who may still approve the batch. */
  possible_approvers: z.array(z.string()),
  /** Why the missing approvals cannot be given (no_approver); null if enough users can approve. */
  blocked: z.string().nullable(),
  approvals: z.array(GivenApproval),
});

/** An action that the user may take, or the reason why not. */
export const Allowed = z.object({ may: z.boolean(), why_not: z.string().nullable() });

/** A finding as the approver saw it, with the number of its rows. */
const Acknowledgement = z.strictObject({ finding: z.string().max(100), rows: z.int().min(1) });

const UnusualRow = z.object({
  line: z.number().int(),
  code: z.string(),
  beneficiary: z.string(),
  account_last4: z.string().nullable(),
  ...Amount.shape,
  /** The usual amount of the account, or the limit. */
  against: z.string().nullable(),
  /** The amount as a multiple of it, such as "12.5". */
  times: z.string().nullable(),
  /** The row's own callback URL or payout code, where it overrides the default. */
  own: z.string().nullable(),
  warnings: z.array(z.string()),
  /** The values that the retry of a declined or returned payout changed. Accounts are masked. */
  changes: z.array(CellChange),
  elsewhere: z
    .object({
      batch_id: z.string(),
      line: z.number().int(),
      beneficiary: z.string(),
      account_last4: z.string().nullable(),
      /** The position at which the two accounts differ, if there is only one. */
      one_off_at: z.number().int().nullable(),
    })
    .nullable(),
});

const Sheet = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  state: BatchStateName,
  reason: z.string().nullable(),
  created_at: Timestamp,
  maker: Actor,
  priority: z.enum(PRIORITIES),
  /** Digest of the content shown here. An approval refers to it. */
  content_digest: z.string(),
  rows: z.number().int(),
  rejected: z.number().int(),
  /** Number of payouts corrected after the upload, by a corrected file or on the dashboard. */
  corrected: z.number().int(),
  totals: z.array(Total),
  policy: Policy,
  /** Warnings about the file as a whole. */
  notes: z.array(ProblemView),
  numbers: z.array(StoredAsNumber),
  /** When payrun sends the batch after approval; null for immediately. */
  send: SendTimeView.nullable(),
  needs_duplicate_reason: z.boolean(),
  /** Null while payrun is still looking for anomalies in a large batch. */
  anomalies: z
    .object({
      /** When payrun looked for anomalies. */
      at: Timestamp,
      found: z.array(
        z.object({
          check: z.enum(Object.keys(ROW_CHECKS) as [RowCheck, ...RowCheck[]]),
          says: z.string(),
          attention: z.boolean(),
          count: z.number().int(),
          sums: z.array(Amount),
          rows: z.array(UnusualRow),
        }),
      ),
      /** Earlier batches that pay the same accounts the same amounts. */
      overlaps: z.array(
        z.object({
          batch_id: z.string(),
          file: z.string(),
          name: z.string().nullable(),
          purpose: z.string().nullable(),
          state: BatchStateName,
          send: SendTimeView.nullable(),
          needs_duplicate_reason: z.boolean(),
          created_at: Timestamp,
          rows: z.number().int(),
          percent: z.number().int(),
          sums: z.array(Amount),
        }),
      ),
      /** The findings that the approval must acknowledge. */
      to_acknowledge: z.array(z.object({ ...Acknowledgement.shape, says: z.string() })),
      /** Checks over their size limit: they compared the largest rows and latest payouts only. */
      limited_checks: z.array(z.string()),
      /** Each currency compared with earlier batches; `times` is null without earlier batches. */
      totals: z.array(
        z.object({
          ...Amount.shape,
          usual: z.string().nullable(),
          times: z.string().nullable(),
          batches: z.number().int(),
          is_unusual: z.boolean(),
        }),
      ),
      /** A description of every check, so that an empty result can be understood. */
      checks: z.array(z.string()),
    })
    .nullable(),
  /** The reasons for the quarantine, one sentence each; empty if the batch is not in quarantine. */
  quarantine: z.array(z.string()),
  /** Payouts with the same account, name and amount in other batches. */
  duplicates: z.object({
    /** The search takes too long for a page. The approval repeats it and fails on a finding. */
    looking: z.boolean(),
    found: z.array(
      z.object({
        batch_id: z.string(),
        rows: z.number().int(),
        lines: z.array(z.number().int()),
        says: z.string(),
        /** A user has given a reason for the duplicates. */
        allowed: z.boolean(),
      }),
    ),
    allowed: z.array(z.object({ ...Actor.shape, reason: z.string(), at: Timestamp })),
  }),
  sent: z.array(SentByDefault),
  you: z.object({
    approve: Allowed,
    reject: Allowed,
    prioritize: Allowed,
    withdraw: Allowed,
    allow_duplicates: Allowed,
    release_quarantine: Allowed,
  }),
});

const Rule = z.strictObject({
  /** Null: each currency separately. */
  currency: Currency.nullable(),
  measure: z.enum(["row", "total"]),
  above: RuleAmount,
  people: People,
});
const Terms = z.strictObject({ base: People, rules: z.array(Rule).max(50) });
const HOURS_MAX = 24 * 14;
export const RulesInput = z.strictObject({
  ...Terms.shape,
  /** How long an approval is valid. */
  hours: z.number().int().min(1).max(HOURS_MAX),
});
const Rules = z.object({ ...RulesInput.shape, base_is_default: z.boolean() });

export const APPROVAL_API = {
  "GET /api/batches/:id/approval": {
    permission: "read",
    summary: "Returns everything that an approver must review, anomalies first",
    params: BatchParams,
    answer: Sheet,
  },
  "POST /api/batches/:id/approve": {
    permission: "approve",
    summary: "Approves a batch; the approver must enter its totals",
    params: BatchParams,
    body: z.strictObject({
      content_digest: z.string(),
      totals: z
        .array(Amount)
        .max(50)
        .refine(
          (totals) => new Set(totals.map(({ currency }) => currency)).size === totals.length,
          "a currency appears twice",
        ),
      /** The findings in `anomalies.to_acknowledge` that the approver has checked. */
      acknowledged: z.array(Acknowledgement).max(50).optional(),
      /** When omitted, the previous send time applies, or immediately if there was none. */
      send: SendTimeInput.optional(),
    }),
    answer: z.object({ state: BatchStateName, missing: z.number().int() }),
    stepUp: true,
    keys: false,
  },
  "POST /api/batches/:id/allow-duplicates": {
    permission: "upload",
    summary:
      "Allows the exact duplicates in a batch, with a reason; another person must then approve the batch",
    params: BatchParams,
    body: z.strictObject({ content_digest: z.string(), reason: ReasonWords }),
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/withdraw-approval": {
    permission: "approve",
    summary: "Withdraws your approval while the batch is awaiting other approvers",
    params: BatchParams,
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/reject": {
    permission: "approve",
    summary: "Sends a batch back to its uploader, with a reason",
    params: BatchParams,
    body: z.strictObject({ reason: ReasonWords }),
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/question": {
    permission: "approve",
    summary: "Asks the uploader a question; it is recorded in the audit log",
    params: BatchParams,
    body: z.strictObject({ question: ReasonWords }),
    answer: "nothing",
    keys: false,
  },
  "GET /api/approval-rules": {
    permission: "read",
    summary: "Returns the approval rules",
    answer: Rules,
  },
  "PUT /api/approval-rules": {
    permission: "administer",
    summary: "Changes the approval rules for batches uploaded from now on",
    body: RulesInput,
    answer: Rules,
    stepUp: true,
    keys: false,
  },
  "POST /api/approval-rules/preview": {
    permission: "administer",
    summary:
      "Returns the number of people that these rules would have required for each of the last 20 batches",
    body: Terms,
    answer: z.object({
      items: z.array(
        z.object({
          batch_id: z.string(),
          file: z.string(),
          now: People,
          by_rules: People,
          why: z.string(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
