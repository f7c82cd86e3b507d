import { type Campaign, LAG_MAX_MS, type LaneWord, type PayoutRecord } from "./campaign.ts";
import type { Violation } from "./violation.ts";

/**
 * What operators said of lanes while payouts were paid, and whether it was kept: by the attempts on record, of which
 * every request has one ("attempt first"), and by the gateway's own book.
 */
export function laneWords({ payouts, book, bounds }: Campaign): Violation[] {
  return bounds.lanes.flatMap((word) => {
    const own = payouts.filter(({ currency }) => currency === word.currency);
    switch (word.kind) {
      case "freeze":
        return sentIn(word, own.flatMap(openedAt));
      case "drain":
        return sentIn(word, firstOfBatches(own));
      case "limit":
        return [...tooManyIn(word, own), ...tooManyAsked(word, own, book, bounds)];
    }
  });
}

const openedAt = ({ attempts }: PayoutRecord): number[] =>
  attempts.map(({ opened_at: at }) => Date.parse(at));

/** When something of each batch was first sent in the lane. */
const firstOfBatches = (payouts: readonly PayoutRecord[]): number[] =>
  [...Map.groupBy(payouts, ({ batch_id: id }) => id).values()]
    .map((batch) => Math.min(...batch.flatMap(openedAt)))
    .filter(Number.isFinite);

const isIn = ({ from, to }: LaneWord, at: number): boolean => at > from && at < to;

function sentIn(word: LaneWord, times: readonly number[]): Violation[] {
  // Whoever began to claim while it still held may have waited until it did not.
  const until = { ...word, to: word.to - LAG_MAX_MS };
  const within = times.filter((at) => isIn(until, at));
  if (within.length === 0) return [];
  const text = `${within.length} attempts were opened during a ${word.kind}`;
  return [{ check: "lanes", about: word.currency, text }];
}

/** As water runs out of a bucket: in no stretch of the time more than the rate allows, and a second's worth beside it. */
function tooManyIn({ rate = 0, ...word }: LaneWord, payouts: readonly PayoutRecord[]): Violation[] {
  const times = payouts
    .flatMap(openedAt)
    .filter((at) => isIn(word, at))
    .toSorted((one, other) => one - other);
  const levelMax = rate * (1 + LAG_MAX_MS / 1_000) + 1;
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

/** What the gateway was asked for in all that time: what was claimed before may still come, and no more. */
function tooManyAsked(
  { rate = 0, ...word }: LaneWord,
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
    rate * ((word.to - word.from) / 1_000 + 1 + LAG_MAX_MS / 1_000) + onWire,
  );
  if (asked <= allowed) return [];
  const text = `the gateway was asked ${asked} times, ${allowed} are allowed`;
  return [{ check: "lanes", about: word.currency, text }];
}

const ASKED: ReadonlySet<string> = new Set(["accepted", "refused", "request"]);
