import type { Sabotage } from "./sabotage.ts";

/**
 * Mistakes in the real ledger and the real connection, for which the simulation has its own code.
 */
export const LEDGER_SABOTAGES: readonly Sabotage[] = [
  {
    name: "no attempt row before sending",
    breaks: "I4",
    caughtBy: "chaos",
    edits: [
      {
        file: "src/ledger/payout/claim-statement.ts",
        find: "${claim.worker}, clock_timestamp()\n      from claimed_payouts\n",
        replace: "${claim.worker}, clock_timestamp()\n      from claimed_payouts where false\n",
      },
    ],
  },
  {
    name: "a restored ledger sends without querying first, in the simulation",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/epoch.ts",
        find: "  if (epoch.server !== server) {\n",
        replace:
          "  if (epoch.server !== server) tables.epoch.server = server;\n  if (epoch.server < 0) {\n",
      },
    ],
  },
  {
    name: "the claim of a retry ignores its original, in the simulation",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/payouts.ts",
        find: " || payout.dueMs > nowMs || isInvalidRetry(tables, payout))",
        replace: " || payout.dueMs > nowMs)",
      },
    ],
  },
  {
    name: "a restored ledger does not query retries",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/status-query.ts",
        find: "times < RETRIES_MAX",
        replace: "times < 0 * RETRIES_MAX",
      },
    ],
  },
  {
    name: "one not-found response on a frozen ledger proves that a payout was not sent, in the simulation",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/payouts.ts",
        find: "maybeArrived: payout.maybeArrived || payout.queriedMs !== null",
        replace: "maybeArrived: payout.maybeArrived",
      },
    ],
  },
  {
    name: "a restored ledger sends without querying first",
    breaks: "I1",
    caughtBy: "drill",
    tests: "journeys/restore",
    edits: [
      {
        file: "src/ledger/payout/claim-statement.ts",
        find: "sql`(\n          ${condition}\n",
        replace: "sql`(\n          (${condition} or true)\n",
      },
    ],
  },
  {
    name: "a retry batch reuses the codes of the cancelled one before it",
    breaks: "I1",
    caughtBy: "drill",
    tests: "ledger/payout/contract/retry-batches",
    edits: [
      {
        file: "src/ledger/payout/retry-batches.ts",
        find: "coalesce((select transaction_code from payout_details where payout_id = again.last_id), d.transaction_code)",
        replace: "d.transaction_code",
      },
    ],
  },
  {
    name: "the first not-found response for an unsent payout on a frozen ledger counts",
    breaks: "I1",
    caughtBy: "drill",
    tests: "flows/payout/retry-batch",
    edits: [
      {
        file: "src/flows/payout/status-query.ts",
        find: "!isNotFoundConclusive(query, timings, leaseMs);",
        replace: "query.heardTimes < 0;",
      },
    ],
  },
  {
    name: "no compare-and-set",
    breaks: "I8",
    caughtBy: "chaos",
    edits: [
      {
        file: "src/ledger/payout/transitions.ts",
        find: `        and payouts.seq is not distinct from move.seq
        and payouts.state is not distinct from move.from_state
`,
        replace: "",
      },
    ],
  },
  {
    name: "two workers may claim one payout",
    breaks: "I1",
    caughtBy: "chaos",
    // Two workers meet in one lane of one file that is longer than one job's share.
    size: { payouts: "3000", files: "1" },
    edits: [
      {
        file: "src/ledger/payout/attempts.ts",
        find: "limit ${sizeMax}\n      for update skip locked",
        replace: "limit ${sizeMax}",
      },
    ],
  },
  {
    name: "outcomes are written without their transition",
    breaks: "I8",
    caughtBy: "chaos",
    edits: [
      {
        file: "src/ledger/payout/transitions.ts",
        find: "where event is not null\n",
        replace: "where event is not null and event <> 'settle'\n",
      },
    ],
  },
  {
    name: "a log line quotes the account number",
    breaks: "I14",
    caughtBy: "chaos",
    edits: [
      {
        file: "src/flows/payout/send.ts",
        find: "  if (!moved) await recordLate(attempt, outcome, deps);\n",
        replace: `  if (outcome.kind !== "accepted") deps.log.warn({ order: JSON.stringify(order.details) }, "not accepted");
  if (!moved) await recordLate(attempt, outcome, deps);
`,
      },
    ],
  },
  {
    name: "the HTTP client repeats a failed request",
    breaks: "I4",
    caughtBy: "chaos",
    edits: [
      {
        file: "src/gateway/wire/transport.ts",
        find: "    const reply = await exchange(this.#client, url, request, untilDeadline, onStart);\n",
        replace: `    let reply = await exchange(this.#client, url, request, untilDeadline, onStart);
    for (let again = 0; again < 3 && ("proof" in reply || reply.status >= 500); again++)
      reply = await exchange(this.#client, url, request, untilDeadline, onStart);
`,
      },
    ],
  },
  {
    name: "transaction codes are random",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/ledger/intake/transaction-codes.ts",
        find: '["row code 1", ledgerId, digest, place, cells]',
        replace: "[Math.random(), ledgerId, digest, place, cells]",
      },
    ],
  },
];
