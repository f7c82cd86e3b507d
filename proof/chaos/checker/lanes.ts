import type { Campaign, LaneOrder, PayoutRecord } from "./campaign.ts";
import type { Violation } from "./violation.ts";

/**
 * Tolerance in milliseconds: a turn is taken before the claim that uses it, and the claim has the
 * time at which it was made. A slow or delayed connection, or a process frozen in between, puts the
 * claim this much later.
 */
const LATE_MAX_MS = 3_000;

/**
 * Whether operators' commands for lanes were obeyed while payouts were paid: by the recorded
 * attempts, one for every request ("attempt first"), and by the gateway's own transaction log.
 */
export function checkLaneOrders({ payouts, book, bounds }: Campaign): Violation[] {
  return bounds.lanes.flatMap((word) => {
    const own = payouts.filter(({ currency }) => currency === word.currency);
    switch (word.kind) {
      case "freeze":
        return claimedIn(word, own.flatMap(claimsOf));
      case "drain":
        return claimedIn(word, firstOfBatches(own));
      case "limit":
        return [...tooManyIn(word, own), ...tooManyAsked(word, own, book, bounds)];
    }
  });
}

const openedAt = ({ attempts }: PayoutRecord): number[] =>
  attempts.map(({ opened_at: at }) => Date.parse(at));

/** A claim reads the ledger after it began and before the time of its attempt. */
interface Claim {
  readonly began: number;
  readonly opened: number;
}

const SENDS: ReadonlySet<string> = new Set(["send", "resend"]);

function claimsOf({ attempts, transitions }: PayoutRecord): Claim[] {
  const moves = transitions.filter(({ event }) => SENDS.has(event));
  return attempts.map(({ opened_at: at }, number) => ({
    began: Date.parse(moves[number]?.at ?? at),
    opened: Date.parse(at),
  }));
}

/** The first claim of each batch in the lane. */
const firstOfBatches = (payouts: readonly PayoutRecord[]): Claim[] =>
  [...Map.groupBy(payouts, ({ batch_id: id }) => id).values()].flatMap((batch) =>
    batch
      .flatMap(claimsOf)
      .toSorted((one, other) => one.opened - other.opened)
      .slice(0, 1),
  );

const isIn = ({ from, to }: LaneOrder, at: number): boolean => at > from && at < to;

function claimedIn({ kind, currency, from, to }: LaneOrder, claims: readonly Claim[]): Violation[] {
  const within = claims.filter(({ began, opened }) => began > from && opened < to);
  if (within.length === 0) return [];
  const text = `${within.length} attempts were opened during a ${kind}`;
  return [{ check: "lanes", about: currency, text }];
}

/** A leaky bucket: in no period more than the rate allows, plus one second's allowance. */
function tooManyIn(
  { rate = 0, ...word }: LaneOrder,
  payouts: readonly PayoutRecord[],
): Violation[] {
  const times = payouts
    .flatMap(openedAt)
    .filter((at) => isIn(word, at))
    .toSorted((one, other) => one - other);
  const levelMax = rate * (1 + LATE_MAX_MS / 1_000) + 1;
  let level = 0;
  let highest = 0;
  for (const [place, at] of times.entries()) {
    const before = times[place - 1] ?? at;
    level = Math.max(0, level - (rate * (at - before)) / 1_000) + 1;
    highest = Math.max(highest, level);
  }
  if (highest <= levelMax) return [];
  const text = `${highest.toFixed(1)} attempts at once, ${levelMax.toFixed(1)} are allowed at ${rate} a second`;
  return [{ check: "lanes", about: word.currency, text }];
}

/**
 * Requests at the gateway during the whole period. Payouts claimed before may still arrive, and no
 * others.
 */
function tooManyAsked(
  { rate = 0, ...word }: LaneOrder,
  payouts: readonly PayoutRecord[],
  book: Campaign["book"],
  { at_once_max: onWire }: Campaign["bounds"],
): Violation[] {
  const codes = new Set(payouts.map(({ transaction_code: code }) => code));
  const asked = book.filter(
    ({ event, at, transaction_code: code }) =>
      ASKED.has(event) && isIn(word, at) && codes.has(code),
  ).length;
  const allowed = Math.ceil(
    rate * ((word.to - word.from) / 1_000 + 1 + LATE_MAX_MS / 1_000) + onWire,
  );
  if (asked <= allowed) return [];
  const text = `the gateway received ${asked} requests, ${allowed} are allowed`;
  return [{ check: "lanes", about: word.currency, text }];
}

const ASKED: ReadonlySet<string> = new Set(["accepted", "refused", "request"]);
