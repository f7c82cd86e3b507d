import { z } from "zod";
import { BATCH_STATES, type BatchState } from "#batch/lifecycle.ts";
import { PRIORITIES } from "#batch/priority.ts";
import { ROW_CHECKS, type RowCheck } from "#batch/unusual.ts";
import { HeldAsNumber, ProblemShown } from "#api/batches.ts";
import type { Operation } from "#api/operation.ts";
import { SentByDefault } from "#api/sent-rows.ts";
import { SendGiven, SendView } from "#api/send-times.ts";
import { Amount, Currency, RuleAmount, Timestamp, why } from "#api/shapes.ts";

const BatchParams = z.object({ id: z.string().max(40) });
export const BatchStateName = z.enum(Object.keys(BATCH_STATES) as [BatchState, ...BatchState[]]);
const People = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const Words = why(3, 500);

/** What the good rows of one currency come to. */
const Total = z.object({ ...Amount.shape, payouts: z.number().int() });

/** Somebody as they stand in the records, with the name that people know them by. */
export const Actor = z.object({ actor: z.string(), name: z.string() });

const GivenApproval = z.object({
  user_id: z.string(),
  name: z.string(),
  at: Timestamp,
  expires_at: Timestamp,
  withdrawn_at: Timestamp.nullable(),
  withdrawn_why: z.string().nullable(),
  /** It counts: for the content as it is now, by somebody who may still give it. */
  live: z.boolean(),
});

/** How many people a batch takes, and who of them is missing. */
export const Policy = z.object({
  /** The maker included. */
  people: People,
  why: z.string(),
  /** One approver more, because it would pass a soft limit. */
  limit_people: z.union([z.literal(0), z.literal(1)]),
  given: z.number().int(),
  missing: z.number().int(),
  /** Names of those who may still approve it. */
  able: z.array(z.string()),
  /** Why nobody can bring what is missing (no_approver); null: enough people can. */
  blocked: z.string().nullable(),
  approvals: z.array(GivenApproval),
});

/** What somebody may do, or the reason why not. */
export const Allowed = z.object({ may: z.boolean(), why_not: z.string().nullable() });

const Waiting = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  created_at: Timestamp,
  maker: Actor,
  totals: z.array(Total),
  people: People,
  why: z.string(),
  given: z.number().int(),
  missing: z.number().int(),
  blocked: z.string().nullable(),
  /** It waits for whoever asks. */
  mine: z.boolean(),
  own: z.boolean(),
  approved: z.boolean(),
});

const UnusualRow = z.object({
  line: z.number().int(),
  code: z.string(),
  beneficiary: z.string(),
  account_last4: z.string().nullable(),
  ...Amount.shape,
  /** What it is compared with: the usual amount of the account, or the limit. */
  against: z.string().nullable(),
  /** "12.5": how many times that. */
  times: z.string().nullable(),
  /** The callback address or payout code that the row has of its own, where that was found. */
  own: z.string().nullable(),
  elsewhere: z
    .object({
      batch_id: z.string(),
      line: z.number().int(),
      beneficiary: z.string(),
      account_last4: z.string().nullable(),
      /** The place in which the two accounts differ, if it is the only one. */
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
  /** Of what is shown here; an approval names it. */
  content_digest: z.string(),
  rows: z.number().int(),
  rejected: z.number().int(),
  totals: z.array(Total),
  policy: Policy,
  /** What was found in the file as a whole, the warnings of how it was read. */
  notes: z.array(ProblemShown),
  numbers: z.array(HeldAsNumber),
  /** When it goes out once it is approved; null: at once. */
  send: SendView.nullable(),
  /** Null: a large batch is still being looked through. */
  unusual: z
    .object({
      /** When it was looked for. */
      at: Timestamp,
      found: z.array(
        z.object({
          check: z.enum(Object.keys(ROW_CHECKS) as [RowCheck, ...RowCheck[]]),
          says: z.string(),
          count: z.number().int(),
          sums: z.array(Amount),
          /** The largest of them. */
          rows: z.array(UnusualRow),
        }),
      ),
      /** Earlier batches that pay the same accounts the same amounts. */
      overlaps: z.array(
        z.object({
          batch_id: z.string(),
          file: z.string(),
          name: z.string().nullable(),
          state: BatchStateName,
          send: SendView.nullable(),
          created_at: Timestamp,
          rows: z.number().int(),
          percent: z.number().int(),
          sums: z.array(Amount),
        }),
      ),
      /** Checks that had more to compare than they may: the largest rows were looked at, and the last payments. */
      cut: z.array(z.string()),
      /** Each currency beside the batches before; `times` is null where there were none. */
      totals: z.array(
        z.object({
          ...Amount.shape,
          usual: z.string().nullable(),
          times: z.string().nullable(),
          batches: z.number().int(),
          far: z.boolean(),
        }),
      ),
      /** Every check, in words: nothing found is worth something only when it is known what was looked for. */
      checks: z.array(z.string()),
    })
    .nullable(),
  /** What other batches pay already: the same account, name and amount. */
  /** Why it is in quarantine, one sentence each; empty: it is not. */
  quarantine: z.array(z.string()),
  repeats: z.object({
    /** It takes longer than a page should; the approval is refused if something is found. */
    looking: z.boolean(),
    found: z.array(
      z.object({
        batch_id: z.string(),
        rows: z.number().int(),
        /** Some of the lines, the first ones. */
        lines: z.array(z.number().int()),
        says: z.string(),
        /** Somebody has said why it is right. */
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
    allow_repeats: Allowed,
    release_quarantine: Allowed,
  }),
});

const Rule = z.strictObject({
  /** Null: each currency by itself. */
  currency: Currency.nullable(),
  measure: z.enum(["row", "total"]),
  above: RuleAmount,
  people: People,
});
const Terms = z.strictObject({ base: People, rules: z.array(Rule).max(50) });
const HOURS_MAX = 24 * 14;
export const RulesGiven = z.strictObject({
  ...Terms.shape,
  /** How long an approval counts. */
  hours: z.number().int().min(1).max(HOURS_MAX),
});
const Rules = z.object({ ...RulesGiven.shape, base_is_default: z.boolean() });

export const APPROVAL_API = {
  "GET /api/approvals": {
    may: "read",
    summary: "The batches that wait for approval, those of whoever asks among them",
    answer: z.object({ items: z.array(Waiting), mine: z.number().int() }),
  },
  "GET /api/batches/:id/approval": {
    may: "read",
    summary: "Everything to be looked at before a batch is approved, what is unusual first",
    params: BatchParams,
    answer: Sheet,
  },
  "POST /api/batches/:id/approve": {
    may: "approve",
    summary: "Approve a batch as it was seen, with its totals as the approver knows them",
    params: BatchParams,
    body: z.strictObject({
      content_digest: z.string(),
      totals: z
        .array(Amount)
        .max(50)
        .refine(
          (totals) => new Set(totals.map(({ currency }) => currency)).size === totals.length,
          "each currency once",
        ),
      /** Left out: when it was to go out before, or now. */
      send: SendGiven.optional(),
    }),
    answer: z.object({ state: BatchStateName, missing: z.number().int() }),
    stepUp: true,
    keys: false,
  },
  "POST /api/batches/:id/allow-repeats": {
    may: "upload",
    summary:
      "Say why a batch may pay again what another one pays; somebody else has to approve it then",
    params: BatchParams,
    body: z.strictObject({ content_digest: z.string(), reason: Words }),
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/withdraw-approval": {
    may: "approve",
    summary: "Take one's approval back, while the batch waits for others",
    params: BatchParams,
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/reject": {
    may: "approve",
    summary: "Give a batch back to its maker, with the reason",
    params: BatchParams,
    body: z.strictObject({ reason: Words }),
    answer: "nothing",
    keys: false,
  },
  "POST /api/batches/:id/question": {
    may: "approve",
    summary: "Ask a question about a batch that waits; it stands on the audit log",
    params: BatchParams,
    body: z.strictObject({ question: Words }),
    answer: "nothing",
    keys: false,
  },
  "GET /api/approval-rules": {
    may: "read",
    summary: "How many people a batch takes",
    answer: Rules,
  },
  "PUT /api/approval-rules": {
    may: "administer",
    summary: "Change how many people batches take that come in from now on",
    body: RulesGiven,
    answer: Rules,
    stepUp: true,
    keys: false,
  },
  "POST /api/approval-rules/try": {
    may: "administer",
    summary: "What the last 20 batches would have taken by these rules",
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
} as const satisfies Record<string, Operation>;
