import { alive, SILENT_MS } from "#operations/alarms.ts";

/** How sending goes, in one word. Programs look at them: they are for ever. */
export const LIGHT_STATES = ["sending", "slow", "partly_stopped", "paused", "stopped"] as const;
export type LightState = (typeof LIGHT_STATES)[number];

export interface Light {
  readonly state: LightState;
  /** What it means, in a sentence or two. */
  readonly says: string;
  /** Null: nobody knows, or it has no beginning. */
  readonly since: Date | null;
  /** Nothing is sent, and nobody asks about what is open: every state is as it was then. Null: work is done. */
  readonly idle: Pick<Light, "says" | "since"> | null;
}

/** A lane of which nothing is sent, by a person's word or by itself. */
interface Closed {
  readonly lane: string;
  readonly reason: string;
  readonly since: Date;
}

export interface LightSight {
  readonly now: Date;
  readonly freeze: { readonly reason: string; readonly since: Date | null } | null;
  readonly workers: readonly {
    readonly works: boolean;
    readonly seenAgoMs: number;
    /** Since it last looked for work and handed it out; of one that never has, since it started. */
    readonly sweptAgoMs: number;
  }[];
  /** Since the gateway was asked for anything; null: nobody knows when. */
  readonly askedAgoMs: number | null;
  /** Every lane that had a payout ever. */
  readonly lanes: readonly string[];
  readonly stopped: readonly Closed[];
  readonly paused: readonly Closed[];
  /** A person's word for every lane, those to come as well. */
  readonly pauseOfAll: Omit<Closed, "lane"> | null;
  /** Of the last two minutes; null: nothing was asked of the gateway. */
  readonly p95Ms: number | null;
}

/** A gateway that takes this long is slow: people begin to ask where their money is. */
export const SLOW_MS = 5_000;
/** More lanes than this are counted, not named. */
const NAMED_MAX = 3;

/** One that sweeps alone takes over after twenty seconds from one that froze, and tells of it five later. */
const IDLE_MS = 30_000;

type Shown = Omit<Light, "idle">;

/** The worst that holds: nothing at all is sent, a part is not, it goes slowly. */
export function lightOf(sight: LightSight): Light {
  const idle = unattended(sight) ?? standing(sight);
  const shown = frozen(sight) ?? idle ?? pausedByPerson(sight) ?? closedLanes(sight) ?? open(sight);
  return { ...shown, idle: idle && { says: idle.says, since: idle.since } };
}

const frozen = ({ freeze }: LightSight): Shown | null =>
  freeze && {
    state: "stopped",
    says: `Nothing is sent, the ledger is frozen: ${withoutStop(freeze.reason)}.`,
    since: freeze.since,
  };

function unattended({ workers, now }: LightSight): Shown | null {
  const ages = workers.filter(({ works }) => works).map(({ seenAgoMs }) => seenAgoMs);
  const newestMs = Math.min(...ages);
  if (newestMs <= SILENT_MS) return null;
  return {
    state: "stopped",
    says: "No worker is alive: nothing is sent, and nothing is asked.",
    since: ages.length === 0 ? null : new Date(now.getTime() - newestMs),
  };
}

/** A sweep of which one part breaks is none, and the rest of the work goes on: what is asked counts as well. */
function standing(sight: LightSight): Shown | null {
  const { askedAgoMs, now } = sight;
  const sweptAgoMs = alive(sight).map((worker) => worker.sweptAgoMs);
  const newestMs = Math.min(...sweptAgoMs, askedAgoMs ?? Infinity);
  if (newestMs <= IDLE_MS) return null;
  return {
    state: "stopped",
    says: "No work reaches the workers: nothing is sent, and nothing is asked.",
    since: new Date(now.getTime() - newestMs),
  };
}

const pausedByPerson = ({ pauseOfAll }: LightSight): Shown | null =>
  pauseOfAll && {
    state: "paused",
    says: `A person has paused all sending: ${withoutStop(pauseOfAll.reason)}.`,
    since: pauseOfAll.since,
  };

function closedLanes({ lanes, stopped, paused }: LightSight): Shown | null {
  const closed = [...stopped, ...paused];
  const names = new Set(closed.map(({ lane }) => lane));
  if (names.size === 0) return null;
  const isAll = lanes.every((lane) => names.has(lane));
  const isWished = lanes.every((lane) => paused.some((pause) => pause.lane === lane));
  const state = !isAll ? "partly_stopped" : isWished ? "paused" : "stopped";
  const rest = isAll ? "" : " Nothing stops the other lanes.";
  return {
    state,
    says: `Nothing is sent in ${namedIn(closed, names.size)}.${rest}`,
    since: new Date(Math.min(...closed.map(({ since }) => since.getTime()))),
  };
}

const namedIn = (closed: readonly Closed[], count: number): string =>
  count > NAMED_MAX
    ? `${count} lanes`
    : closed.map(({ lane, reason }) => `${lane} (${withoutStop(reason)})`).join(", ");

function open({ p95Ms }: LightSight): Shown {
  if (p95Ms === null) {
    const says = "Nothing stops or pauses sending. Nothing was asked of the gateway just now.";
    return { state: "sending", says, since: null };
  }
  const isSlow = p95Ms >= SLOW_MS;
  const took = `19 of 20 answers of the last two minutes came within ${secondsText(p95Ms)}.`;
  return isSlow
    ? {
        state: "slow",
        says: `Nothing stops sending, but the gateway answers slowly: ${took}`,
        since: null,
      }
    : { state: "sending", says: `Nothing stops or pauses sending: ${took}`, since: null };
}

const secondsText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** People end a reason with a full stop or without. */
const withoutStop = (reason: string): string => reason.replace(/\.$/, "");
