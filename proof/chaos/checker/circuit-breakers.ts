import type { AuditRecord, LogLine, Campaign, PayoutRecord } from "./campaign.ts";
import type { Violation } from "./violation.ts";

const REQUESTS = new Set(["accepted", "refused", "request"]);
const timesOf = (lines: readonly LogLine[], isOne: (event: string) => boolean) =>
  Map.groupBy(
    lines.filter(({ event }) => isOne(event)),
    (line) => line.transaction_code,
  );

/**
 * I7: payouts after the canary of a batch were claimed, and requested at the gateway, only when the
 * whole canary had settled or a person released them.
 */
export function checkCanaries({ bounds, batches, payouts, book, audit }: Campaign): Violation[] {
  const requests = timesOf(book, (event) => REQUESTS.has(event));
  const settled = timesOf(book, (event) => event === "settled");
  const settledAt = ({ transitions, transaction_code: code }: PayoutRecord) => {
    const told = transitions.find(({ event }) => event === "settle")?.at;
    const [paid] = settled.get(code) ?? [];
    return told && paid ? Math.max(Date.parse(told), paid.at) : Infinity;
  };
  return bounds.canaries.flatMap(({ file, payouts: count }) => {
    const batch = batches.find((each) => each.file === file);
    const own = payouts.filter(({ batch_id: id }) => id === batch?.batch_id);
    const lanes = Map.groupBy(own, ({ currency }) => currency);
    return [...lanes].flatMap(([currency, all]) => {
      const inOrder = all.toSorted((one, other) => one.line - other.line);
      const [first, rest] = [inOrder.slice(0, count), inOrder.slice(count)];
      const allSettledAt = Math.max(...first.map(settledAt));
      const since = Math.min(allSettledAt, releasedAt(audit, batch?.batch_id, currency));
      return rest.flatMap(({ transaction_code: about, attempts }): Violation[] => {
        const claims = attempts.map(({ opened_at: at }) => Date.parse(at));
        const sends = [...claims, ...(requests.get(about) ?? []).map(({ at }) => at)];
        const early = sends.filter((at) => at < since).length;
        if (early === 0) return [];
        const text = `${early} of its sends came before the canary of ${file} had settled`;
        return [{ check: "canary", about, text }];
      });
    });
  });
}

/** When a person released the rest: the reason is on record. */
function releasedAt(audit: readonly AuditRecord[], batchId: string | undefined, currency: string) {
  const words = audit.filter(
    ({ action, object }) => action === "release_canary" && object === batchId,
  );
  const times = words.flatMap(({ at, facts }) => {
    const { lanes, reason } = JSON.parse(facts) as { lanes: string[]; reason: string | null };
    const isOfIt = reason !== null && lanes.some((lane) => lane.endsWith(`/${currency}`));
    return isOfIt ? [Date.parse(at)] : [];
  });
  return Math.min(...times);
}

/**
 * I13: no new payout was sent while more of its lane were in doubt than allowed. Counts only
 * certain cases: a status query about the payout was recorded when the claim began, and the payout
 * was still in doubt when the gateway received the new one.
 */
export function checkInDoubtLimits({ bounds, batches, payouts, book }: Campaign): Violation[] {
  const requests = timesOf(book, (event) => REQUESTS.has(event));
  // A canary may pause its batch, and paused payouts do not count.
  const pausable = new Set(bounds.canaries.map(({ file }) => file));
  const counts = new Map(batches.map(({ batch_id: id, file }) => [id, !pausable.has(file)]));
  return bounds.ceilings.flatMap(({ currency, payouts: most }) => {
    const own = payouts.filter((payout) => payout.currency === currency);
    const doubts = own.filter(({ batch_id: id }) => counts.get(id)).flatMap(doubtOf);
    return own.flatMap((payout) =>
      newClaimsOf(payout).flatMap((claimedAt): Violation[] => {
        const about = payout.transaction_code;
        const heard = (requests.get(about) ?? []).find(({ at }) => at >= claimedAt);
        if (!heard) return [];
        const { length } = doubts.filter(({ from, to }) => from < claimedAt && to > heard.at);
        if (length <= most) return [];
        const text = `was claimed while ${length} of ${currency} were in doubt, ${most} are allowed`;
        return [{ check: "ceiling", about, text }];
      }),
    );
  });
}

/** When it was first in doubt, from its first status query: payrun queries payouts in doubt. */
function doubtOf({ transitions, evidence }: PayoutRecord): { from: number; to: number }[] {
  const place = transitions.findIndex(({ event }) => event === "doubt");
  const [doubt, next] = transitions.slice(place, place + 2);
  if (place < 0 || !doubt) return [];
  const asked = evidence
    .filter(({ kind }) => kind === "status")
    .map(({ at }) => Date.parse(at))
    .filter((at) => at > Date.parse(doubt.at));
  return [{ from: Math.min(...asked), to: next ? Date.parse(next.at) : Infinity }];
}

/** When it was claimed as a payout that the gateway does not have. */
const newClaimsOf = ({ transitions }: PayoutRecord): number[] =>
  transitions.filter(({ event }) => event === "send").map(({ at }) => Date.parse(at));
