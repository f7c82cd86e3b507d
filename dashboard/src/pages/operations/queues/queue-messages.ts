import { counted, inLanguage } from "../../../base/language.ts";

/** The words of a job's values, by their names in the queue. */
const values: Readonly<Record<string, string>> = {
  batchId: "batch",
  transactionCode: "payout",
  lane: "lane",
  slot: "slot",
  round: "round",
  rank: "priority rank",
};

const states = {
  waiting: "Waiting",
  active: "Running",
  delayed: "Delayed",
  finished: "Finished",
  failed: "Failed",
};

const removed =
  "payrun removes these jobs from the queue, because they would block new jobs for the same work.";

/** The texts of the queues, which load apart from the page. */
const en = {
  title: "Queues and database",
  board: "Queue board (read-only)",
  caption: "Queues",
  empty: "payrun cannot reach the queue. No payout is lost: the ledger records all work.",
  unreachable: "payrun cannot reach the queue.",
  queueName: "Queue",
  names: {
    "payrun-submit": "Submit payouts",
    "payrun-resolve": "Query statuses",
    "payrun-callback": "Process callbacks",
    "payrun-deposit": "Track deposits",
  } satisfies Record<string, string> as Readonly<Record<string, string>>,
  waiting: states.waiting,
  running: states.active,
  delayed: states.delayed,
  oldest: "Oldest waiting",
  range: "Time range",
  ranges: { "1": "1 h", "6": "6 h", "24": "24 h" },
  finished: states.finished,
  failed: states.failed,
  throughput: "Throughput",
  throughputOf: (queue: string, most: number) =>
    `${queue}: up to ${most} jobs finished per interval`,
  engine: "Queue",
  database: "Database",
  postgres: (version: string, isDurable: boolean) =>
    `PostgreSQL ${version}, ${isDurable ? "commits survive power loss" : "COMMITS MAY BE LOST"}`,
  ledger: "Ledger",
  epoch: (epoch: number, isFrozen: boolean) =>
    `epoch ${epoch}, ${isFrozen ? "frozen: no payouts are being sent" : "not frozen"}`,
  note: "Jobs do not contain payouts. If the queue is emptied or lost, no payout is lost or sent twice.",
  inPostgres: "in PostgreSQL, alongside the ledger",
  redisUnreachable: "Redis, unreachable",
  redis: (version: string, memory: string, policy: string, isAppendOnly: boolean) =>
    `Redis ${version}, ${memory}, ${policy}${isAppendOnly ? ", append-only file" : ""}`,
  used: (megabytes: string, megabytesMax: number | null) =>
    `${megabytes} MB used${megabytesMax === null ? ", no limit" : ` of ${megabytesMax} MB`}`,

  jobs: {
    title: "Jobs",
    queue: "Queue",
    state: "Job state",
    states: (state: keyof typeof states, count: number | undefined) =>
      count === undefined ? states[state] : `${states[state]} ${count}`,
    ended: {
      finished: (jobs: number) =>
        `${counted(jobs, "job", "jobs")} finished in the last 24 hours. ${removed} To see their results, open the activity of a batch.`,
      failed: (jobs: number) =>
        `${counted(jobs, "job", "jobs")} failed in the last 24 hours. ${removed} payrun repeats the work. The worker's log contains the error.`,
    },
    empty: "No jobs match.",
    first: (count: number) => `Only the first ${count} jobs are listed.`,
    payload: "Job",
    value: (name: string, value: string | number) => `${values[name] ?? name} ${value}`,
    added: "Added",
    due: "Due",
    now: "now",
  },
};

export const messages = inLanguage({ en });
