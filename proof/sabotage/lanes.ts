import type { Sabotage } from "./sabotage.ts";

const PACE = "src/payout/lane/rate-limit.ts";
const HEALTH = "src/flows/payout/lane/update-lane-health.ts";

/** Mistakes in the limits of a lane, in send times and occurrences, and in retries. */
export const LANE_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the rate of a lane is ignored",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: PACE,
        find: "Math.min(pace.rate ?? Infinity, currentSlowdown(pace, nowMs)?.rate ?? Infinity);",
        replace: "currentSlowdown(pace, nowMs)?.rate ?? Infinity;",
      },
    ],
  },
  {
    name: "concurrent requests of a lane are not counted",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: PACE,
        find: "Math.max(0, pace.concurrency - inFlight);",
        replace: "Math.max(0, pace.concurrency - 0 * inFlight);",
      },
    ],
  },
  {
    name: "a lane that gets no responses keeps sending",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/payout/contract/lane-health",
    edits: [
      {
        file: HEALTH,
        find: "marks === null ? null : checkLaneHealth(",
        replace: "marks === null || lane ? null : checkLaneHealth(",
      },
    ],
  },
  {
    name: "an unknown response does not stop the lane",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/payout/contract/lane-health",
    edits: [
      {
        file: HEALTH,
        find: "times <= deps.thresholdsOf(lane).unknown_answers",
        replace: "times > deps.thresholdsOf(lane).unknown_answers",
      },
    ],
  },
  {
    name: "a repeated tick creates two batches of one occurrence",
    breaks: "I11",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/intake/ingest.ts",
        find: "const digest = identity ?? told ??",
        replace:
          'const digest = (identity && createHash("sha256").update(ids.batchId()).digest("hex")) ?? told ??',
      },
    ],
  },
  {
    name: "the claim ignores the send time of a batch, in the simulation",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/send-times.ts",
        find: "return !row || (row.released && row.at.getTime() <= nowMs);",
        replace: "return !row || nowMs > 0;",
      },
      {
        file: "proof/simulation/ledger/send-times.ts",
        find: "  sendTimes.get(batchId)?.released === false;",
        replace: "  sendTimes.get(batchId)?.released === null;",
      },
    ],
  },
  {
    name: "payouts on hold are retried, in the simulation",
    breaks: "I6",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/retry-batches.ts",
        find: '(state === "declined" || (page',
        replace: '(state === "declined" || state === "on_hold" || (page',
      },
      {
        file: "proof/simulation/ledger/retry-batches.ts",
        find: '  state === "declined" || state === "returned";',
        replace: '  state === "declined" || state === "returned" || state === "on_hold";',
      },
    ],
  },
];

const CLAIM = "src/ledger/payout/attempts.ts";

/**
 * The conditions of a claim and of a commit in SQL, each left out. The shared contract of the two
 * ledgers checks them.
 */
export const CONDITION_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the claim ignores the in-doubt limit",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/payout/contract/circuit-breakers",
    edits: [
      {
        file: CLAIM,
        find: "and ${isBelowInDoubtLimit(lane, claim.inDoubtLimit)}",
        replace: "and (${isBelowInDoubtLimit(lane, claim.inDoubtLimit)} or true)",
      },
    ],
  },
  {
    name: "the claim ignores the canary",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/payout/contract/canaries",
    edits: [
      {
        file: CLAIM,
        find: "and ${notBehindCanary(batchId, lane)}`;",
        replace: "and (${notBehindCanary(batchId, lane)} or true)`;",
      },
    ],
  },
  {
    name: "payouts of a paused lane are sent",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/payout/contract/lane-pauses",
    edits: [
      {
        file: "src/ledger/payout/claim-statement.ts",
        find: "and ${notPaused(batchId, lane)}",
        replace: "and (${notPaused(batchId, lane)} or true)",
      },
    ],
  },
  {
    name: "the claim ignores the limits of a lane",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/payout/contract/rate-limit",
    edits: [
      {
        file: "src/ledger/payout/lane/rate-limit.ts",
        find: "const size = Math.min(sizeMax, availableTurns(pace, row.now_ms, inFlight, rivals));",
        replace:
          "const size = rivals.before < 0 ? availableTurns(pace, row.now_ms, inFlight) : sizeMax;",
      },
    ],
  },
  {
    name: "the claim ignores the send time of a batch",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/payout/contract/send-times",
    edits: [
      {
        file: "src/ledger/schedule/send-times.ts",
        find: "(released_at is null or send_at > now()))`;",
        replace: "false)`;",
      },
    ],
  },
  {
    name: "every tick creates another batch of an occurrence",
    breaks: "I11",
    caughtBy: "drill",
    tests: "flows/schedule/schedules",
    edits: [
      {
        file: "src/flows/schedule/occurrence.ts",
        find: "update(`schedule ${id} ${day}`)",
        replace: "update(`schedule ${id} ${day} ${Math.random()}`)",
      },
    ],
  },
  {
    name: "payouts on hold are retried",
    breaks: "I6",
    caughtBy: "drill",
    tests: "ledger/payout/contract/retry-batches",
    edits: [
      {
        file: "src/ledger/payout/retry-batches.ts",
        find: "RawBuilder<unknown> = sql`p.state in ('declined', 'returned')",
        replace: "RawBuilder<unknown> = sql`p.state in ('declined', 'returned', 'on_hold')",
      },
      {
        file: "src/ledger/payout/retry-batches.ts",
        find: "where id = any(${ids}::bigint[]) and state in ('declined', 'returned')",
        replace:
          "where id = any(${ids}::bigint[]) and state in ('declined', 'returned', 'on_hold')",
      },
    ],
  },
  {
    name: "a hard payout limit does not block approvals",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/approval/payout-limits",
    edits: [
      {
        file: "src/ledger/approval/limit-use.ts",
        find: "if (isHardLimitExceeded(breaches) || uncovered.length > 0)",
        replace: "if (uncovered.length > 0)",
      },
    ],
  },
];
