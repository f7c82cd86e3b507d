import type { LogLine, Campaign, PayoutRecord } from "./campaign.ts";
import { exact, type Violation } from "./violation.ts";

/**
 * The checker's own list of legal transitions, written from docs/understand/lifecycle.md and not
 * imported.
 */
// biome-ignore format: the table is easier to read in columns
const LEGAL: Readonly<Record<string, readonly string[]>> = {
  approve: ["awaiting_approval>approved"],
  cancel:  ["awaiting_approval>cancelled", "approved>cancelled"],
  send:    ["approved>submitting"],
  resend:  ["in_doubt>submitting"],
  defer:   ["submitting>approved"],
  doubt:   ["submitting>in_doubt"],
  accept:  ["approved>accepted", "submitting>accepted", "in_doubt>accepted"],
  decline: ["submitting>declined", "in_doubt>declined", "accepted>declined"],
  settle:  ["in_doubt>settled", "accepted>settled"],
  hold:    ["awaiting_approval>on_hold", "approved>on_hold", "submitting>on_hold", "in_doubt>on_hold", "accepted>on_hold", "settled>on_hold", "declined>on_hold", "returned>on_hold"],
  return:  ["settled>returned"],
};

/**
 * I8: only legal transitions, numbered without gaps, each starting in the state where the previous
 * one ended.
 */
export function checkTransitions({ payouts }: Campaign): Violation[] {
  return payouts.flatMap((payout) => {
    const wrong = (text: string): Violation => ({
      check: "transitions",
      about: payout.transaction_code,
      text,
    });
    const found: Violation[] = [];
    let state = "awaiting_approval";
    for (const [at, { seq, event, from, to }] of payout.transitions.entries()) {
      if (seq !== at + 1) found.push(wrong(`transition ${at + 1} has the number ${seq}`));
      if (from !== state) found.push(wrong(`transition ${seq} begins at ${from}, not at ${state}`));
      if (LEGAL[event]?.includes(`${from}>${to}`) !== true) {
        found.push(wrong(`transition ${seq} is not legal: ${event} from ${from} to ${to}`));
      }
      state = to;
    }
    if (state !== payout.state)
      found.push(wrong(`is ${payout.state}, and its transitions end at ${state}`));
    return found;
  });
}

const isRequest = ({ event }: LogLine): boolean =>
  event === "accepted" || event === "refused" || event === "request";

/** I4: each request of a code follows an attempt that was recorded before the request arrived. */
export function checkAttemptsFirst({ payouts, book }: Campaign): Violation[] {
  const requests = Map.groupBy(book.filter(isRequest), (line) => line.transaction_code);
  return payouts.flatMap((payout): Violation[] => {
    const { transaction_code: code, attempts, transitions: moves } = payout;
    const wrong = (text: string): Violation => ({ check: "attempt first", about: code, text });
    const found: Violation[] = [];
    for (const [at, { number }] of attempts.entries()) {
      if (number !== at + 1) found.push(wrong(`attempt ${at + 1} has the number ${number}`));
    }
    const sends = moves.filter(({ event }) => event === "send" || event === "resend").length;
    if (sends !== attempts.length) found.push(wrong(`${attempts.length} attempts, ${sends} sends`));

    const opened = attempts.map(({ opened_at }) => Date.parse(opened_at));
    for (const [at, { at: cameIn }] of (requests.get(code) ?? []).entries()) {
      const before = opened.filter((openedAt) => openedAt <= cameIn).length;
      if (before > at) continue;
      const when = new Date(cameIn).toISOString();
      found.push(wrong(`request ${at + 1} arrived at ${when}, after ${before} attempts`));
    }
    return found;
  });
}

/** I9: settled, declined and returned rest on stored answers of the gateway. */
export function checkEvidence({ payouts }: Campaign): Violation[] {
  return payouts.flatMap((payout): Violation[] => {
    const { state, transaction_code: about } = payout;
    const isBack = isShown(payout, "failed") || isShown(payout, "reversed");
    const isProven = isShown(payout, "completed") && (state === "settled" || isBack);
    if ((state === "settled" || state === "returned") && !isProven) {
      return [{ check: "unproven", about, text: `${state} without status answers that say so` }];
    }
    const refused = payout.evidence.some(
      ({ kind, facts }) => kind === "answer" && facts["outcome"] === "declined",
    );
    if (state === "declined" && !refused && !isShown(payout, "failed")) {
      return [{ check: "unproven", about, text: "declined without an answer that says so" }];
    }
    return [];
  });
}

const isShown = ({ evidence, currency, amount }: PayoutRecord, state: string): boolean =>
  evidence.some(
    ({ kind, facts }) =>
      kind === "status" &&
      facts["answer"] === "found" &&
      facts["state"] === state &&
      facts["currency"] === currency &&
      exact(String(facts["amount"])) === exact(amount),
  );
