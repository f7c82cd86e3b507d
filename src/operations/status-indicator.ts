import type { FreezeCause } from "#integrity/freeze-causes.ts";
import { aliveWorkers, SILENT_MS } from "#operations/alarms.ts";

/** The state of sending, in one word. Programs depend on these values, so they never change. */
export const STATUS_INDICATOR_STATES = [
  "idle",
  "sending",
  "slow",
  "partly_stopped",
  "paused",
  "stopped",
] as const;
export type StatusIndicatorState = (typeof STATUS_INDICATOR_STATES)[number];

export interface StatusIndicator {
  readonly state: StatusIndicatorState;
  /** The meaning, in a sentence or two. */
  readonly says: string;
  /** Null: unknown, or without a beginning. */
  readonly since: Date | null;
  /**
   * Set while no payout is sent and no status is queried: every state shown is as of that time.
   * Null: work is done.
   */
  readonly idle: Pick<StatusIndicator, "says" | "since"> | null;
}

/** A lane that sends no payouts: a person paused it, or payrun stopped it. */
interface ClosedLane {
  readonly lane: string;
  readonly reason: string;
  readonly since: Date;
}

export interface StatusObservations {
  readonly now: Date;
  readonly freeze: {
    readonly cause: FreezeCause;
    readonly reason: string;
    readonly since: Date | null;
  } | null;
  readonly workers: readonly {
    readonly works: boolean;
    readonly seenAgoMs: number;
    /**
     * Milliseconds since the worker last searched for work and queued it. If it never has: since it
     * started.
     */
    readonly sweptAgoMs: number;
  }[];
  /** Milliseconds since the last request of any kind to the gateway. Null: unknown. */
  readonly requestedAgoMs: number | null;
  /** Every lane that ever had a payout. */
  readonly lanes: readonly string[];
  readonly stopped: readonly ClosedLane[];
  readonly paused: readonly ClosedLane[];
  /** A person's pause of every lane, including future ones. */
  readonly globalPause: Omit<ClosedLane, "lane"> | null;
  /** Of the last two minutes. Null: no answer was measured. */
  readonly p95Ms: number | null;
}

/** Milliseconds from which the gateway counts as slow: users begin to ask where their money is. */
export const SLOW_MS = 5_000;
/** More lanes than this are counted, not named. */
const NAMED_MAX = 3;

/**
 * A worker takes over from a frozen sweeping worker after twenty seconds, and reports it five
 * seconds later.
 */
const IDLE_MS = 30_000;

type Shown = Omit<StatusIndicator, "idle">;

/** Returns the worst state that applies: sending has stopped, has partly stopped, or is slow. */
export function statusIndicator(sight: StatusObservations): StatusIndicator {
  const idle = withoutWorker(sight) ?? sweepFailing(sight);
  const shown =
    frozenStatus(sight) ??
    idle ??
    globalPauseStatus(sight) ??
    closedLanesStatus(sight) ??
    sendingStatus(sight);
  return { ...shown, idle: idle && { says: idle.says, since: idle.since } };
}

const frozenStatus = ({ freeze }: StatusObservations): Shown | null =>
  freeze && {
    state: "stopped",
    says: `No payouts are being sent${freeze.cause === "frozen" ? " because the ledger is frozen" : ""}: ${withoutStop(freeze.reason)}.`,
    since: freeze.since,
  };

function withoutWorker({ workers, now }: StatusObservations): Shown | null {
  const ages = workers.filter(({ works }) => works).map(({ seenAgoMs }) => seenAgoMs);
  const newestMs = Math.min(...ages);
  if (newestMs <= SILENT_MS) return null;
  return {
    state: "stopped",
    says: "No worker is running. No payouts are being sent, and no statuses are being queried.",
    since: ages.length === 0 ? null : new Date(now.getTime() - newestMs),
  };
}

/**
 * A sweep of which one part fails does not count as a sweep, although the other work continues.
 * Requests to the gateway therefore count as well.
 */
function sweepFailing(sight: StatusObservations): Shown | null {
  const { requestedAgoMs, now } = sight;
  const sweptAgoMs = aliveWorkers(sight).map((worker) => worker.sweptAgoMs);
  const newestMs = Math.min(...sweptAgoMs, requestedAgoMs ?? Infinity);
  if (newestMs <= IDLE_MS) return null;
  return {
    state: "stopped",
    says: "No work is reaching the workers. No payouts are being sent, and no statuses are being queried.",
    since: new Date(now.getTime() - newestMs),
  };
}

const globalPauseStatus = ({ globalPause }: StatusObservations): Shown | null =>
  globalPause && {
    state: "paused",
    says: `All sending has been paused manually: ${withoutStop(globalPause.reason)}.`,
    since: globalPause.since,
  };

function closedLanesStatus({ lanes, stopped, paused }: StatusObservations): Shown | null {
  const closed = [...stopped, ...paused];
  const names = new Set(closed.map(({ lane }) => lane));
  if (names.size === 0) return null;
  const isAll = lanes.every((lane) => names.has(lane));
  const isWished = lanes.every((lane) => paused.some((pause) => pause.lane === lane));
  const state = !isAll ? "partly_stopped" : isWished ? "paused" : "stopped";
  const rest = isAll ? "" : " The other lanes are open.";
  return {
    state,
    says: `No payouts are being sent in ${namedIn(closed, names.size)}.${rest}`,
    since: new Date(Math.min(...closed.map(({ since }) => since.getTime()))),
  };
}

const namedIn = (closed: readonly ClosedLane[], count: number): string =>
  count > NAMED_MAX
    ? `${count} lanes`
    : closed.map(({ lane, reason }) => `${lane} (${withoutStop(reason)})`).join(", ");

/** Without a request for this long, payrun has nothing to send or query. */
const QUIET_MS = 120_000;

function sendingStatus({ p95Ms, requestedAgoMs }: StatusObservations): Shown {
  const open = "No lane is stopped or paused.";
  if (p95Ms === null) {
    if (requestedAgoMs !== null && requestedAgoMs < QUIET_MS) {
      const says = `${open} No gateway response was measured in the last two minutes.`;
      return { state: "sending", says, since: null };
    }
    const says = `${open} There were no payouts to send or query in the last two minutes.`;
    return { state: "idle", says, since: null };
  }
  const isSlow = p95Ms >= SLOW_MS;
  const took = `95% of the responses in the last two minutes arrived within ${secondsText(p95Ms)}.`;
  return isSlow
    ? {
        state: "slow",
        says: `No lane is stopped, but the gateway is slow: ${took}`,
        since: null,
      }
    : { state: "sending", says: `${open} ${took}`, since: null };
}

const secondsText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** Removes the full stop: some people end a reason with one. */
const withoutStop = (reason: string): string => reason.replace(/\.$/, "");
