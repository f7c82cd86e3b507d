import type { Sabotage } from "./sabotage.ts";

const PACE = "src/payout/lane-pace.ts";
const HEALTH = "src/flows/steer-lane.ts";

/** Mistakes in what bounds a lane, in times and occurrences, and in what is paid again. */
export const LANE_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the rate of a lane is ignored",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: PACE,
        find: "Math.min(pace.rate ?? Infinity, slowNow(pace, nowMs)?.rate ?? Infinity);",
        replace: "slowNow(pace, nowMs)?.rate ?? Infinity;",
      },
    ],
  },
  {
    name: "the requests at once of a lane are not counted",
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
    name: "a lane in which nothing gets an answer goes on",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/contract-health",
    edits: [
      {
        file: HEALTH,
        find: "marks === null ? null : judgeHealth(",
        replace: "marks === null || lane ? null : judgeHealth(",
      },
    ],
  },
  {
    name: "an unknown answer stops no lane",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/contract-health",
    edits: [
      {
        file: HEALTH,
        find: "times <= deps.brakesOf(lane).unread_answers",
        replace: "times > deps.brakesOf(lane).unread_answers",
      },
    ],
  },
  {
    name: "a tick that comes twice makes two batches of one occurrence",
    breaks: "I11",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/ingest.ts",
        find: "const digest = identity ?? told ??",
        replace:
          'const digest = (identity && createHash("sha256").update(mint.batchId()).digest("hex")) ?? told ??',
      },
    ],
  },
  {
    name: "the time of a batch is not asked at the claim, in the simulation",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/sendings.ts",
        find: "return !row || (row.released && row.at.getTime() <= nowMs);",
        replace: "return !row || nowMs > 0;",
      },
      {
        file: "proof/simulation/ledger/sendings.ts",
        find: "  sendings.get(batchId)?.released === false;",
        replace: "  sendings.get(batchId)?.released === null;",
      },
    ],
  },
  {
    name: "what is held is paid again, in the simulation",
    breaks: "I6",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/remainders.ts",
        find: '      state === "declined",',
        replace: '      (state === "declined" || state === "held"),',
      },
      {
        file: "proof/simulation/ledger/remainders.ts",
        find: 'if (isLive || tables.payouts[id - 1]?.state !== "declined") throw',
        replace: "if (isLive) throw",
      },
    ],
  },
];

const CLAIM = "src/ledger/attempts.ts";

/** The conditions of a claim and of a commit in SQL, each left out. The shared contract of the two ledgers holds them. */
export const CONDITION_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the ceiling of doubt is not asked at the claim",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/contract-brakes",
    edits: [
      {
        file: CLAIM,
        find: "and ${belowCeiling(lane, claim.ceiling)}",
        replace: "and (${belowCeiling(lane, claim.ceiling)} or true)",
      },
    ],
  },
  {
    name: "the canary is not asked at the claim",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/contract-canaries",
    edits: [
      {
        file: CLAIM,
        find: "and ${notBehindCanary(batchId, lane)}`;",
        replace: "and (${notBehindCanary(batchId, lane)} or true)`;",
      },
    ],
  },
  {
    name: "a lane that a person has paused is sent",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/contract-lane-pauses",
    edits: [
      {
        file: CLAIM,
        find: "${notPaused(batchId, lane)} and",
        replace: "(${notPaused(batchId, lane)} or true) and",
      },
    ],
  },
  {
    name: "the limits of a lane are not asked at the claim",
    breaks: "I13",
    caughtBy: "drill",
    tests: "ledger/contract-lane-pace",
    edits: [
      {
        file: "src/ledger/lane-pace.ts",
        find: "const size = Math.min(sizeMax, turnsOf(pace, row.now_ms, inFlight, rivals));",
        replace: "const size = rivals.before < 0 ? turnsOf(pace, row.now_ms, inFlight) : sizeMax;",
      },
    ],
  },
  {
    name: "the time of a batch is not asked at the claim",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/contract-sendings",
    edits: [
      {
        file: "src/ledger/sendings.ts",
        find: "(released_at is null or send_at > now()))`;",
        replace: "false)`;",
      },
    ],
  },
  {
    name: "an occurrence becomes a batch each time that its tick comes",
    breaks: "I11",
    caughtBy: "drill",
    tests: "flows/schedules",
    edits: [
      {
        file: "src/flows/occurrence.ts",
        find: "update(`schedule ${id} ${day}`)",
        replace: "update(`schedule ${id} ${day} ${Math.random()}`)",
      },
    ],
  },
  {
    name: "what is held is paid again",
    breaks: "I6",
    caughtBy: "drill",
    tests: "ledger/contract-remainders",
    edits: [
      {
        file: "src/ledger/remainders.ts",
        find: "p.id > ${page.after} and p.state = 'declined' and not",
        replace: "p.id > ${page.after} and p.state in ('declined', 'held') and not",
      },
      {
        file: "src/ledger/remainders.ts",
        find: "where id = any(${ids}::bigint[]) and state = 'declined'",
        replace: "where id = any(${ids}::bigint[]) and state in ('declined', 'held')",
      },
    ],
  },
  {
    name: "a hard limit on money refuses no approval",
    breaks: "I7",
    caughtBy: "drill",
    tests: "ledger/money-limits",
    edits: [
      {
        file: "src/ledger/limit-use.ts",
        find: "if (isRefused(breaches) || uncovered.length > 0) throw",
        replace: "if (uncovered.length > 0) throw",
      },
    ],
  },
];
