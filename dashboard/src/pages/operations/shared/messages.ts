import { counted, inLanguage } from "../../../base/language.ts";
import { inPercent } from "../../../base/text.ts";
import { frozenMessages } from "./frozen-messages.tsx";

const en = {
  title: "Operations",
  tabs: {
    health: "Health",
    lanes: "Lanes",
    workers: "Workers and queues",
    breakers: "Circuit breakers",
    events: "Events",
  },
  attention: (count: number) => counted(count, "needs attention", "need attention"),

  headline: {
    label: "State",
    healthy: "Healthy",
    lanes: (able: number, lanes: number) =>
      able === lanes ? `All ${lanes} lanes can send.` : `${able} of ${lanes} lanes can send.`,
    noTasks: "No payouts are on hold.",
    onHold: (payouts: string, isOne: boolean) =>
      `${payouts} ${isOne ? "is" : "are"} on hold and ${isOne ? "needs" : "need"} a decision. No immediate action is required.`,
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
    lastSweep: (age: string) => `last scan for due payouts ${age} ago`,
    noSweep: "no scan for due payouts yet",
    callbacks: "Callbacks",
    strayCallbacks: (count: string) => `last 10 min, ${count} with unknown codes`,
    gatewayClock: "Gateway clock offset",
    databaseClock: (offset: string) => `database ${offset}`,
    answersTitle: "Gateway responses in the last ten minutes",
    answers: {
      accepted: "Accepted",
      refused_row: "Declined",
      refused_system: "Deferred",
      not_sent: "Gateway unreachable",
      ambiguous: "No conclusive response",
      duplicate: "Duplicate transaction code (111)",
      unmapped: "Unreadable response",
      status_queries: "Status queries",
      unreadable_status: "Unreadable status",
    },
    onHoldReasons: (count: string) => `Reasons why payouts are on hold (${count})`,
  },

  lanes: {
    title: "Lanes",
    explained:
      "A lane is one merchant account in one currency. Being sent: requests that the gateway has not answered yet. In doubt: payrun cannot tell yet whether the gateway took the payout.",
    p95Explained: "p95 latency: 95% of the requests are faster.",
    caption: "Lanes, each with one merchant account's payouts in one currency",
    empty:
      "No lanes yet. A lane is created with the first batch for a merchant account and currency.",
    lane: "Lane",
    state: "State",
    waiting: "Waiting",
    inFlight: "Being sent",
    inDoubt: "In doubt",
    rate: "Send rate",
    perSecond: (rate: string) => `${rate}/s`,
    perSecondOf: (rate: string, limit: string) => `${rate} of ${limit}/s`,
    trend: "Last hour",
    trendOf: (lane: string) => `Payouts sent in the last hour: ${lane}`,
    acceptedShare: "Accepted (10 min)",
    percent: inPercent,
    acceptance: {
      low: (threshold: string) => `low, below ${threshold}`,
      critical: (threshold: string) => `critical, below ${threshold}`,
    },
    p95Header: "p95 latency",
    milliseconds: (count: number) => `${count} ms`,
    filter: "Filter lanes",
    noneFound: "No lane has this name.",
    showIdle: (count: number) => `Show ${counted(count, "idle lane", "idle lanes")}`,
    actionOn: (action: string, lane: string) => `${action} ${lane}`,
    pauseAll: "Pause all lanes",
    resumeAll: "Resume all lanes",
    noNewBatches: "No new batches will start.",
    allPaused: "All lanes are paused.",
    open: "Sending",
    frozen: "Ledger frozen",
    paused: "Paused",
    draining: "Draining",
    pausedWithAll: (state: string) => `${state}, like all lanes`,
    needs: {
      person: "Stopped, needs a decision",
      wait: "Stopped, retries automatically",
      answers: "Stopped, waiting for responses",
    },
    since: ", since",
    until: ", until",
    drained: "payrun has sent all batches that started before the pause.",
    stillDraining: (batches: number) =>
      `${counted(batches, "batch that started before the pause is", "batches that started before the pause are")} still being sent.`,
    actionsHeader: "Actions",
    actions: { pause: "Pause", resume: "Resume", open: "Restart", limit: "Limit" },
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
    verbs: { pause: "Pause", resume: "Resume", open: "Restart" },
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

  stops: {
    title: (lane: string) => `${lane} is stopped.`,
    since: ", since",
    steps: "Circuit breaker states",
    states: {
      closed: { name: "Closed", does: "sends normally" },
      open: { name: "Open", does: "sends no payouts" },
      probe: { name: "Half-open", does: "sends one payout as a probe" },
      closes: { name: "Closed", does: "sends normally again" },
    },
    waiting: (payouts: string) =>
      `Effect on money: ${payouts} not yet sent will wait. Payouts already sent are still tracked.`,
    retries: "Next probe:",
    next: {
      wait: "payrun will send one payout as a probe.",
      answers: "Sending resumes once status queries have resolved enough payouts in doubt.",
      person: "The lane stays stopped until someone restarts it.",
    },
    about: "About this circuit breaker",
  },

  events: {
    title: "Events",
    range: "Time range",
    ranges: { "24": "24 h", "168": "7 days", "720": "30 days" },
    empty: "No events occurred in this time range.",
    more: (count: number) => `Only the latest ${count} events are listed.`,
    allLanes: "all lanes",
    several: (kind: string, count: number) => `${kind}: ${count} events`,
    kinds: {
      alarm: "Alarm",
      pause_lane: "Lane paused",
      resume_lane: "Lane resumed",
      open_lane: "Lane restarted",
      set_lane: "Rate limits changed",
      name_account: "Merchant account name changed",
      freeze: "Ledger frozen",
      unfreeze: "Ledger unfrozen",
    },
  },

  processes: {
    title: "Processes",
    caption: "Processes using this ledger",
    empty: "No processes have reported in yet. To start a worker, run payrun worker.",
    process: "Process",
    name: (works: boolean, number: number | null) =>
      `${works ? "Worker" : "Web server"}${number === null ? "" : ` ${number}`}`,
    processId: (pid: number) => `Process ${pid}`,
    host: "Machine",
    state: "State",
    alive: "Running",
    silent: (age: string) => `No report for ${age}`,
    tasks: "Tasks",
    works: "sends payouts and queries statuses",
    servesOnly: "only serves web requests",
    requests: "Requests in progress",
    requestsOf: (inFlight: number, slots: number) => `${inFlight} of ${slots}`,
    lastSweep: "Last scan for due payouts",
    ago: (age: string) => `${age} ago`,
    version: "Version",
    otherVersion: (version: string) => `${version} (differs from this server's version)`,
    started: "Started",
  },
};

export const messages = inLanguage({ en });
