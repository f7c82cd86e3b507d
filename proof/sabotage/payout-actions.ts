import type { Sabotage } from "./sabotage.ts";

const APPLY = "src/ledger/payout/action/apply.ts";
const MEMORY = "proof/simulation/ledger/payout-actions.ts";
const CONTRACT = "ledger/payout/contract/payout-actions";
const HTTP = "http/payout/payout-actions";
const ASSIGN = "src/ledger/payout/action/assign.ts";

/** Mistakes in actions on many payouts. */
export const PAYOUT_ACTION_SABOTAGES: readonly Sabotage[] = [
  {
    name: "an action changes payouts that were claimed since its preview, in the simulation",
    breaks: "I15",
    caughtBy: "simulation",
    edits: [
      {
        file: MEMORY,
        find: `      notQualified(tables, action, payout) ??
      (action !== "query" && payout.seq !== seq ? "moved" : null);`,
        replace: `      seq < 0 ? ("moved" as const) : null;`,
      },
    ],
  },
  {
    name: "a released payout is never due, in the simulation",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: MEMORY,
        find: `if (action !== "hold_back") payout.dueMs = nowMs;`,
        replace: `if (action !== "hold_back") payout.dueMs = nowMs + (action === "release" ? 1e12 : 0);`,
      },
    ],
  },
  {
    name: "the claim takes payouts that are held back, in the simulation",
    breaks: "I8",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/payouts.ts",
        find: `if (payout.state !== "approved" || payout.dueMs`,
        replace: `if ((payout.state !== "approved" && payout.state !== "held_back") || payout.dueMs`,
      },
    ],
  },
  {
    name: "a batch finishes although payouts are held back",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/payout-lifecycle.ts",
        find: `export const isFinal = (state: PayoutState): boolean => STATES[state].final;`,
        replace: `export const isFinal = (state: PayoutState): boolean => STATES[state].final || state === "held_back";`,
      },
    ],
  },
  {
    name: "results are confirmed although the payout or the statement has changed, in the simulation",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/payout-resolutions.ts",
        find: `isOpen ? whyLeft(tables, payout, proposal) : now.ok`,
        replace: `isOpen ? null : now.ok`,
      },
    ],
  },
  {
    name: "a failed line resolves a payout as arrived, in the simulation",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/listed-results.ts",
        find: `lines.some(({ status }) => status !== "completed")`,
        replace: `lines.some(({ status }) => status === "returned")`,
      },
    ],
  },
  {
    name: "rejecting proposed results confirms them",
    breaks: "I15",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/payout-actions.ts",
        find: `orRefused(ledger.payout.decideAction(decision))`,
        replace: `orRefused(ledger.payout.decideAction({ ...decision, agree: true }))`,
      },
    ],
  },
  {
    name: "an action ignores that a payout has moved and come back",
    breaks: "I15",
    caughtBy: "drill",
    tests: CONTRACT,
    edits: [{ file: APPLY, find: "p.seq <> previewed.seq", replace: "p.seq < previewed.seq" }],
  },
  {
    name: "a payout whose request is in progress is cancelled",
    breaks: "I15",
    caughtBy: "drill",
    tests: CONTRACT,
    edits: [
      {
        file: "src/ledger/payout/action/qualification.ts",
        find: `cancel: sql\`case \${whySent(sql\`p.state in ('approved', 'held_back')\`)} end\`,`,
        replace: `cancel: sql\`case when p.state in ('settled', 'declined') then 'finished' end\`,`,
      },
    ],
  },
  {
    name: "an action is applied again when the request is repeated",
    breaks: "I15",
    caughtBy: "drill",
    tests: CONTRACT,
    edits: [
      {
        file: APPLY,
        find: `if (known.state !== "previewed") return`,
        replace: `if (known.state === "rejected") return`,
      },
    ],
  },
  {
    name: "the digest of an action omits the amounts",
    breaks: "I12",
    caughtBy: "drill",
    tests: HTTP,
    edits: [
      {
        file: "src/ledger/payout/action/changed-list.ts",
        find: `|| ' ' || changed.amount_minor || ' '`,
        replace: `|| ' '`,
      },
    ],
  },
  {
    name: "the proposer confirms the results of many payouts",
    breaks: "I15",
    caughtBy: "drill",
    tests: HTTP,
    edits: [
      {
        file: "migrations/0141-assigned-payouts.sql",
        find: "  if was = 'proposed applied' then",
        replace: "  if false then",
      },
      {
        file: "migrations/0146-fast-confirmations.sql",
        find: "  for each statement execute function check_payout_resolution_deciders();",
        replace:
          "  for each statement when (false) execute function check_payout_resolution_deciders();",
      },
    ],
  },
  {
    name: "results are confirmed although their statement was replaced",
    breaks: "I15",
    caughtBy: "drill",
    tests: HTTP,
    edits: [
      {
        file: "src/ledger/payout/action/qualification.ts",
        find: "        and s.state = 'current'",
        replace: "        and s.state <> 'refused'",
      },
    ],
  },
  {
    name: "a payout that no statement lists is resolved as not arrived",
    breaks: "I9",
    caughtBy: "drill",
    tests: HTTP,
    edits: [
      {
        file: "src/ledger/payout/action/qualification.ts",
        find: "case when failed + returned > 0 then 'not_arrived' else 'arrived' end as finding",
        replace: "case when completed = 0 then 'not_arrived' else 'arrived' end as finding",
      },
      {
        file: "src/ledger/payout/action/qualification.ts",
        find: "        when lines = 0 then 'not_listed'\n",
        replace: "",
      },
    ],
  },
  {
    name: "an action is applied while the ledger is frozen",
    breaks: "I1",
    caughtBy: "drill",
    tests: HTTP,
    edits: [
      {
        file: "src/ledger/action-ledger.ts",
        find: "(await inTrust((transaction) => applyAction(",
        replace: "(await inTransaction((transaction) => applyAction(",
      },
      {
        file: "src/flows/payout/payout-actions.ts",
        find: `  if (await ledger.integrity.verify()) return err("ledger_frozen");
  const applied`,
        replace: "  const applied",
      },
    ],
  },
  {
    name: "an assignment replaces one made since the preview",
    breaks: "I15",
    caughtBy: "drill",
    tests: "http/payout/assign-payouts",
    edits: [
      {
        file: ASSIGN,
        find: "where assignments.assigned_to is not distinct from (",
        replace: "where true or assignments.assigned_to is not distinct from (",
      },
    ],
  },
  {
    name: "payouts that were resolved since the preview are assigned",
    breaks: "I15",
    caughtBy: "drill",
    tests: "http/payout/assign-payouts",
    edits: [
      {
        file: ASSIGN,
        find: "coalesce(${NEEDS_NO_ATTENTION}, case when p.state <> previewed.state then 'moved' end) as reason",
        replace: "null::text as reason",
      },
    ],
  },
  {
    name: "a repeated request assigns again",
    breaks: "I15",
    caughtBy: "drill",
    tests: "http/payout/assign-payouts",
    edits: [
      {
        file: ASSIGN,
        find: `if (known.state !== "previewed") return ok(known);`,
        replace: "",
      },
    ],
  },
];
