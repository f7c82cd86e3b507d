import { counted, inLanguage } from "../../base/language.ts";
import { frozenMessages } from "./frozen-messages.tsx";

const en = {
  title: "Operations",

  headline: {
    label: "State",
    healthy: "Healthy",
    noTasks: "No payouts need a decision.",
    onHold: (payouts: string, isOne: boolean) =>
      `${payouts} ${isOne ? "needs" : "need"} a decision. No immediate action is required.`,
    asOf: "As of",
    levels: { critical: "Act now", warning: "Check today", info: "For information" },
    nextSteps: (level: string) => `${level} · next steps`,
  },

  frozen: frozenMessages,

  /** "10,000+ payouts": counting stopped at the number. */
  payouts: (count: string, isOne: boolean) => `${count} ${isOne ? "payout" : "payouts"}`,

  ages: {
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
  },

  tiles: {
    title: "Now",
    inDoubt: "In doubt",
    onHold: "On hold",
    oldest: (age: string) => `oldest ${age}`,
    none: "none",
    sendsPerSecond: "Payouts sent per second",
    lastMinute: "in the last minute",
    medianLatency: "Median latency",
    milliseconds: (count: number) => `${count} ms`,
    offset: (seconds: string) => `${seconds} s`,
    p95: (milliseconds: number) => `95th percentile ${milliseconds} ms`,
    noneSent: "no payouts sent recently",
    jobs: "Jobs waiting",
    unreachable: "queue unreachable",
    workers: "Workers",
    lastSweep: (age: string) => `last sweep ${age} ago`,
    noSweep: "no sweep yet",
    callbacks: "Callbacks",
    strayCallbacks: (count: string) => `${count} with unknown transaction codes in the last 10 min`,
    gatewayClock: "Gateway clock offset",
    databaseClock: (offset: string) => `database ${offset}`,
    answersTitle: "Gateway responses in the last ten minutes",
    answers: {
      accepted: "accepted",
      refused_row: "row declined",
      refused_system: "deferred",
      not_sent: "gateway unreachable",
      ambiguous: "no conclusive response",
      duplicate: "duplicate transaction code (111)",
      unmapped: "unreadable response",
      status_queries: "status queries",
      unreadable_status: "unreadable status",
    },
    onHoldReasons: (count: string) => `Reasons payouts are on hold (${count})`,
  },

  lanes: {
    title: "Lanes",
    caption: "Lanes, each with one merchant account's payouts in one currency",
    empty:
      "No lanes yet. A lane is created with the first batch for a merchant account and currency.",
    lane: "Lane",
    state: "State",
    waiting: "Waiting",
    sending: "Submitting",
    atGateway: "At gateway",
    inDoubt: "In doubt",
    pauseAll: "Pause all lanes",
    resumeAll: "Resume all lanes",
    noNewBatches: "No new batches will start.",
    allPaused: "All lanes are paused.",
    open: "open",
    frozen: "ledger frozen",
    paused: "paused",
    draining: "draining",
    pausedWithAll: (state: string) => `${state}, like all lanes`,
    needs: {
      person: "stopped, needs a decision",
      wait: "stopped, will retry automatically",
      answers: "stopped, waiting for gateway responses",
    },
    since: ", since",
    until: ", until",
    drained: "payrun has sent all batches that started before the pause.",
    stillDraining: (batches: number) =>
      `${counted(batches, "batch that started before the pause is", "batches that started before the pause are")} still being sent.`,
    actionsHeader: "Actions",
    actions: { pause: "Pause", resume: "Resume", open: "Open", limit: "Limit" },
  },

  limits: {
    perSecond: (rate: string) => `${rate} per second`,
    concurrent: (requests: number) => `${requests} concurrent`,
    atMost: (limits: string) => `At most ${limits}`,
    slowed: (rate: string) => `slowed to ${rate} per second`,
    slowedWhy:
      "After a stop, the lane starts with a few payouts and speeds up with each second of normal gateway responses.",
    title: (lane: string) => `Limit ${lane}`,
    save: "Set limits",
    sentence:
      "The limits are shared by all processes and take effect with the next payout. Leave a field empty for no limit.",
    changed: "The limits have changed since you opened this dialog",
    somebody: "Another user",
    noLimit: "no limit",
    replaces: (by: string, limits: string) => `${by}: ${limits}. Your limits will replace these.`,
    rate: "Payouts per second",
    concurrency: "Concurrent requests",
  },

  dialog: {
    allLanes: "all lanes",
    verbs: { pause: "Pause", resume: "Resume", open: "Open" },
    scope: "Scope",
    modes: {
      freeze: "stop sending payouts",
      drain: "finish batches that have started, but do not start new ones",
    },
    modeSentences: {
      freeze: "No payouts are being sent.",
      drain: "Batches that have started will be finished, but no new batches will start.",
    },
    duration: "Duration",
    untilResumed: "until resumed manually",
    hours: (hours: number) => `for ${counted(hours, "hour", "hours")}`,
    alreadyPaused: "Already paused",
    replaces: (by: string, reason: string, mode: string) =>
      `Paused by ${by}: ${reason}. ${mode} Your pause will replace this pause and its end time.`,
    noLongerPaused: "This pause has already ended.",
    noLongerStopped: "This lane is no longer stopped.",
    pause: (waiting: string, sent: string) =>
      `payrun will stop sending. Not yet sent: ${waiting}. payrun will still query the status of ${sent} already sent.`,
    drain: (waiting: string, sent: string) =>
      `payrun will send only batches that have already started. Other batches will wait. Not yet sent: ${waiting}. payrun will still query the status of ${sent} already sent.`,
    resume: (waiting: string) => `payrun will resume sending. Not yet sent: ${waiting}.`,
    resumeAll: (waiting: string) =>
      `payrun will resume sending. Not yet sent: ${waiting}. Lanes that were paused individually will stay paused.`,
    openLane: (waiting: string) =>
      `payrun will resume sending. Not yet sent: ${waiting}. If the problem persists, the lane will stop again after the first response.`,
  },

  breakers: {
    title: "Circuit breakers",
    caption: "Thresholds at which circuit breakers stop a lane",
    lane: "Lane",
    thresholds: {
      in_doubt_count: "In doubt",
      errors_percent: "In doubt (%)",
      errors_sends: "Submissions measured",
      silence_sends: "Submissions without a response",
      late_sends: "Late responses",
      unknown_answers: "Unreadable responses",
      no_final_state_payouts: "Payouts without a result",
      no_final_state_minutes: "Time without a result (minutes)",
      canary_payouts: "Canary payouts",
      canary_minutes: "Canary timeout (minutes)",
    },
    doubtAmount: "Amount in doubt",
    noLimit: "no limit",
  },

  processes: {
    title: "Processes",
    caption: "Processes using this ledger",
    empty: "No processes have reported. To start a worker, run payrun worker.",
    process: "Process",
    name: (host: string, pid: number) => `${host}, process ${pid}`,
    state: "State",
    alive: "running",
    silent: (age: string) => `no report for ${age}`,
    tasks: "Tasks",
    works: "sends payouts and queries statuses",
    servesOnly: "only serves web requests",
    requests: "Requests in progress",
    requestsOf: (inFlight: number, slots: number) => `${inFlight} of ${slots}`,
    lastSweep: "Last sweep",
    ago: (age: string) => `${age} ago`,
    version: "Version",
    otherVersion: (version: string) => `${version} (differs from this server's version)`,
    started: "Started",
  },

  queue: {
    title: "Queue and database",
    board: "Queue board (read-only)",
    caption: "Queues",
    empty: "payrun cannot reach the queue. No payout is lost: the ledger records all work.",
    jobs: "Jobs",
    names: {
      "payrun-submit": "submit payouts",
      "payrun-resolve": "query statuses",
      "payrun-callback": "process callbacks",
      "payrun-deposit": "track deposits",
    } satisfies Record<string, string> as Readonly<Record<string, string>>,
    waiting: "Waiting",
    running: "Running",
    delayed: "Delayed",
    oldest: "Oldest waiting",
    queue: "Queue",
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
  },
};

export const messages = inLanguage({ en });
