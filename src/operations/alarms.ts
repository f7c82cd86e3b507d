import {
  lanesText,
  minutes,
  silenceText,
  stoppedText,
  things,
  unapprovedText,
  waitingText,
  webhooksText,
  when,
} from "#operations/alarm-texts.ts";
import type { Observations } from "#operations/observations.ts";

/**
 * The alarms shown to people on call, and their conditions. Each has a section named after it in
 * docs/operate/runbook.md: its meaning, the risk to money, and the safe actions.
 */

/** critical: sending stopped or money at risk. warning: check today. info: a person chose it. */
export type AlarmLevel = "critical" | "warning" | "info";

interface AlarmRule {
  readonly level: AlarmLevel;
  /** States the problem in one sentence. Null: there is none. */
  readonly says: (sight: Observations) => string | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Milliseconds without a sign of life after which a process counts as gone or frozen. */
export const SILENT_MS = 30 * SECOND_MS;
const GONE_ALARM_MS = 15 * MINUTE_MS;
const SWEEP_MAX_MS = 60 * SECOND_MS;
const CLOCK_MAX_MS = 30 * SECOND_MS;
const DOUBT_MAX_MS = 15 * MINUTE_MS;
/** Limit in milliseconds, longer than RESEND_AFTER_MS: waiting for a response is no problem. */
export const PAYOUT_DOUBT_MAX_MS = 18 * MINUTE_MS;
/** Queries are at most just over twelve minutes apart, so at least three got no answer. */
export const SILENCE_MAX_MS = 30 * MINUTE_MS;
const HELD_MAX_MS = 4 * HOUR_MS;
const JOB_WAIT_MAX_MS = 5 * MINUTE_MS;
const LANE_WAIT_MAX_MS = 10 * MINUTE_MS;
/** Five failed tries of a delivery. */
const WEBHOOK_BEHIND_MAX_MS = 15 * MINUTE_MS;
const DUPLICATES_MAX = 0.01;

/** Returns the processes that work and have not fallen silent. */
export const aliveWorkers = <Seen extends { readonly works: boolean; readonly seenAgoMs: number }>({
  workers,
}: {
  readonly workers: readonly Seen[];
}): readonly Seen[] => workers.filter(({ works, seenAgoMs }) => works && seenAgoMs <= SILENT_MS);
const stoppedFor = ({ stopped }: Observations, needs: "wait" | "person" | "answers") =>
  stopped.filter((stop) => stop.needs === needs);
const heldText = (name: string, { count, oldestMs }: Observations["held"]): string | null => {
  const text = `${things(count, name)} on hold; the oldest has been waiting for a decision for`;
  return when(count > 0 && oldestMs > HELD_MAX_MS, () => `${text} ${minutes(oldestMs)}`);
};

function clockText(sight: Observations): string | null {
  const clocks = [
    { whose: "the database's clock", apartMs: sight.databaseOffsetMs },
    ...aliveWorkers(sight).map(({ gatewayOffsetMs }) => ({
      whose: "the gateway's clock",
      apartMs: gatewayOffsetMs ?? 0,
    })),
  ];
  const apart = clocks.find(({ apartMs }) => Math.abs(apartMs) > CLOCK_MAX_MS);
  return (
    (apart &&
      `${apart.whose} and payrun's clock differ by ${Math.round(Math.abs(apart.apartMs) / 1_000)} s`) ??
    null
  );
}

/** Ordered from the most severe to the least. */
export const ALARMS = {
  ledger_frozen: {
    level: "critical",
    says: ({ freeze }) =>
      freeze &&
      `${freeze.cause === "frozen" ? "the ledger is frozen and " : ""}no payouts are being sent: ${freeze.reason}`,
  },
  database_not_durable: {
    level: "critical",
    says: ({ isDurable }) =>
      when(!isDurable, () => "the database may lose commits: fsync or synchronous_commit is off"),
  },
  no_workers: {
    level: "critical",
    says: (sight) =>
      when(
        aliveWorkers(sight).length === 0,
        () => "no worker is running, so payrun is not sending payouts or querying their status",
      ),
  },
  no_sweep: {
    level: "critical",
    says: (sight) =>
      when(
        aliveWorkers(sight).length > 0 &&
          Math.min(...aliveWorkers(sight).map(({ sweptAgoMs }) => sweptAgoMs)) > SWEEP_MAX_MS,
        () =>
          "no worker has swept the ledger in the last minute, so new work is not being picked up",
      ),
  },
  queue_unavailable: {
    level: "critical",
    says: ({ queue }) => (queue === null ? "the queue cannot be reached" : queue.obstacle),
  },
  queue_evicts: {
    level: "critical",
    says: ({ queue }) =>
      when(
        queue?.policy != null && queue.policy !== "noeviction",
        () => `Redis evicts jobs when it is full (maxmemory-policy ${queue?.policy})`,
      ),
  },
  lane_needs_person: {
    level: "critical",
    says: (sight) => stoppedText(stoppedFor(sight, "person"), " until someone fixes the problem"),
  },
  batch_needs_person: {
    level: "critical",
    says: ({ waiting }) => when(waiting.length > 0, () => waitingText(waiting)),
  },
  clocks_differ: { level: "critical", says: clockText },
  in_doubt_too_long: {
    level: "critical",
    says: ({ inDoubt: { count, oldestMs } }) =>
      when(
        count > 0 && oldestMs > PAYOUT_DOUBT_MAX_MS,
        () => `${things(count, "payout")} in doubt, the oldest for ${minutes(oldestMs)}`,
      ),
  },
  approvals_missing: {
    level: "critical",
    says: ({ unapproved }) => when(unapproved.length > 0, () => unapprovedText(unapproved)),
  },
  possible_double_payment: {
    level: "critical",
    says: ({ takenTwice }) =>
      when(
        takenTwice > 0,
        () => `${things(takenTwice, "payout")} on hold, possibly paid twice by the gateway`,
      ),
  },
  in_doubt_limit_reached: {
    level: "warning",
    says: (sight) =>
      stoppedText(
        stoppedFor(sight, "answers").filter(({ breaker }) => breaker === "in_doubt"),
        " until fewer payouts are in doubt",
      ),
  },
  no_final_states: {
    level: "warning",
    says: ({ stopped }) =>
      stoppedText(
        stopped.filter(({ breaker }) => breaker === "no_final_state"),
        " until an accepted payout reaches a final state",
      ),
  },
  no_status_answers: {
    level: "warning",
    says: ({ silent }) => when(silent.length > 0, () => silenceText(silent)),
  },
  lane_not_recovering: {
    level: "warning",
    says: (sight) =>
      stoppedText(
        stoppedFor(sight, "wait").filter(({ sinceMs }) => sinceMs > LANE_WAIT_MAX_MS),
        ", and automatic retries have not succeeded so far",
      ),
  },
  codes_already_used: {
    level: "warning",
    says: ({ recentCounts: { tries, duplicate } }) =>
      when(
        duplicate > 0 && duplicate > tries * DUPLICATES_MAX,
        () =>
          `the gateway reported ${duplicate} of ${tries} transaction codes as already used (error 111) in the last ten minutes`,
      ),
  },
  unreadable_answers: {
    level: "warning",
    says: ({ recentCounts: { unmapped } }) =>
      when(
        unmapped > 0,
        () =>
          `payrun could not read ${things(unmapped, "response")} from the gateway in the last ten minutes`,
      ),
  },
  payouts_on_hold: {
    level: "warning",
    says: ({ held }) => heldText("payout", held),
  },
  deposits_in_doubt: {
    level: "warning",
    says: ({ deposits: { in_doubt: doubts } }) =>
      when(
        doubts.count > 0 && doubts.oldestMs > DOUBT_MAX_MS,
        () =>
          `${things(doubts.count, "deposit")} in doubt, the oldest for ${minutes(doubts.oldestMs)}`,
      ),
  },
  deposits_on_hold: {
    level: "warning",
    says: ({ deposits: { manual } }) => heldText("deposit", manual),
  },
  jobs_waiting: {
    level: "warning",
    says: ({ queue }) =>
      when(
        (queue?.oldestWaitMs ?? 0) > JOB_WAIT_MAX_MS,
        () => `the oldest job has been waiting for ${minutes(queue?.oldestWaitMs ?? 0)}`,
      ),
  },
  webhook_behind: {
    level: "warning",
    says: ({ webhooks }) => {
      const behind = webhooks.filter(({ behindMs }) => behindMs > WEBHOOK_BEHIND_MAX_MS);
      return when(behind.length > 0, () => webhooksText(behind));
    },
  },
  worker_not_reporting: {
    level: "warning",
    says: ({ workers }) => {
      const gone = workers.filter(
        ({ seenAgoMs }) => seenAgoMs > SILENT_MS && seenAgoMs <= GONE_ALARM_MS,
      );
      return when(gone.length > 0, () => `${things(gone.length, "process")} stopped reporting`);
    },
  },
  versions_mixed: {
    level: "warning",
    says: (sight) => {
      const others = aliveWorkers(sight).filter(({ version }) => version !== sight.version);
      const builds = [...new Set(others.map(({ version }) => version))].join(", ");
      return when(
        others.length > 0,
        () =>
          `${things(others.length, "worker")} running a different build: ${builds} instead of ${sight.version}`,
      );
    },
  },
  stray_callbacks: {
    level: "warning",
    says: ({ recentCounts: { strayCallbacks } }) =>
      when(
        strayCallbacks > 0,
        () =>
          `${things(strayCallbacks, "callback")} for unknown transaction codes in the last ten minutes`,
      ),
  },
  lane_paused: {
    level: "info",
    says: ({ paused }) => when(paused.length > 0, () => `paused manually: ${lanesText(paused)}`),
  },
} as const satisfies Record<string, AlarmRule>;

export type AlarmCode = keyof typeof ALARMS;
export const ALARM_CODES = Object.keys(ALARMS) as [AlarmCode, ...AlarmCode[]];

export interface Alarm {
  readonly code: AlarmCode;
  readonly level: AlarmLevel;
  readonly says: string;
}

/** Returns the active alarms, the most severe first. Empty: healthy. */
export function activeAlarms(sight: Observations): Alarm[] {
  return ALARM_CODES.flatMap((code) => {
    const { level, says } = ALARMS[code];
    const sentence = says(sight);
    return sentence === null ? [] : [{ code, level, says: sentence }];
  });
}
