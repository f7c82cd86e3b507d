import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { decideOutcome, decideStatus } from "#payout/decide.ts";
import { LIFECYCLE, type PayoutState } from "#payout/payout-lifecycle.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { REASONS, storedReason, reasonCode, type ReasonCode } from "#payout/reasons.ts";
import { formatMoney } from "#money/format.ts";
import {
  ASKED,
  found,
  HOUR_MS,
  NO_ANSWER,
  NOT_FOUND,
  OUTCOMES,
  PACE,
  short,
} from "../../payout/known.ts";
import { law } from "../base/law.ts";
import { type Decision, type KnownPayout } from "#payout/decision.ts";

const REASON_CODES = Object.keys(REASONS) as ReasonCode[];

const anyKnown = (states: readonly PayoutState[]): fc.Arbitrary<KnownPayout> =>
  fc.record({
    state: fc.constantFrom(...states),
    reason: fc.oneof(
      fc.constant(null),
      fc
        .tuple(fc.constantFrom(...REASON_CODES), fc.string())
        .map(([code, said]) => storedReason(code, said)),
    ),
    money: fc.record({
      currency: fc.constantFrom("INR", "JPY"),
      minor: fc.bigInt(1n, 10n ** 12n),
      minorDigits: fc.constantFrom(0, 2, 6),
    }),
    attempts: fc.nat(50),
    crashes: fc.nat(5),
    statusAnswer: fc.constantFrom(null, "not_found" as const, "unclear" as const),
    statusAnswerTimes: fc.nat(50),
    statusAnswerForMs: fc.nat(HOUR_MS),
    statusAnswerAgoMs: fc.nat(HOUR_MS),
    gatewayNumber: fc.constantFrom(null, "WD7"),
    isRepeated: fc.boolean(),
    acceptedTimes: fc.constant(0),
    paidTwiceBefore: fc.constant([]),
    maybeArrived: fc.boolean(),
    isFrozen: fc.boolean(),
    isInvalidRetry: fc.boolean(),
    sinceFirstSentMs: fc.nat(100 * HOUR_MS),
    sinceLastSentMs: fc.nat(100 * HOUR_MS),
    sinceUnansweredMs: fc.option(fc.nat(100 * HOUR_MS)),
    slowestMs: fc.nat(HOUR_MS),
  });
const RECORD_STATES = ["pending", "completed", "failed", "manual", "unclear"] as const;
const anyRecord = fc
  .record({
    state: fc.constantFrom(...RECORD_STATES),
    amount: fc.oneof(fc.constantFrom("150.50", "", "NaN", "-1", "1e3", "0x10"), fc.string()),
    currency: fc.constantFrom("INR", "inr", "JPY", ""),
  })
  .map(found);
const anyAnswer: fc.Arbitrary<StatusAnswer> = fc.oneof(
  fc.constantFrom(NOT_FOUND, NO_ANSWER),
  anyRecord,
);
/** The known facts, and an answer that may or may not have the same amount and currency. */
const questions = (states: readonly PayoutState[]) =>
  fc
    .tuple(anyKnown(states), anyAnswer, fc.boolean())
    .map(([known, answer, isOurs]): [KnownPayout, StatusAnswer] => {
      if (answer.kind !== "found" || !isOurs) return [known, answer];
      const { currency } = known.money;
      return [known, found({ ...answer.record, currency, amount: formatMoney(known.money) })];
    });
const anyOutcome = fc.constantFrom(...Object.values(OUTCOMES));
const anyPace = fc
  .double({ min: 0, max: 0.999999, noNaN: true })
  .map((chance) => ({ ...PACE, random: () => chance }));

/** Problems of a decision. Empty for every decision that is made. */
const wrongWith = (known: KnownPayout, decision: Decision): string | null => {
  if (decision.kind === "resend") return known.state === "in_doubt" ? null : "sent out of doubt";
  if (decision.kind === "wait") return decision.dueInMs > 0 ? null : "asked in a busy loop";
  const { event, reason: why, dueInMs } = decision;
  if (dueInMs < 0 || !Number.isInteger(dueInMs)) return "due at no time";
  if (!LIFECYCLE[event].from.includes(known.state)) return `${event} from ${known.state}`;
  if (why !== null && reasonCode(why) === null) return `no sentence for ${why}`;
  return event === "hold" && why === null ? "held without a reason" : null;
};
const eventOf = (decision: Decision) => (decision.kind === "move" ? decision.event : decision.kind);

export const DECISION_LAWS = [
  law(
    "I8 every decision after an attempt is a legal transition with an explained reason",
    fc.tuple(anyKnown(["submitting"]), anyOutcome, anyPace),
    ([known, outcome, pace]) => {
      equal(wrongWith(known, decideOutcome(known, outcome, pace)), null);
    },
  ),
  law(
    "I8 every decision after a status query is a legal transition with a reason, and never a busy loop",
    fc.tuple(questions(ASKED), anyPace),
    ([[known, answer], pace]) => {
      equal(wrongWith(known, decideStatus(known, answer, pace)), null);
    },
  ),
  law(
    "I9 no answer to a request settles, least of all 111",
    fc.tuple(anyKnown(["submitting"]), anyOutcome),
    ([known, outcome]) => {
      ok(decideOutcome(known, outcome, PACE).event !== "settle");
    },
  ),
  law(
    "I9 a refusal neither declines nor defers a payout that may have arrived",
    fc.tuple(anyKnown(["submitting"]), anyOutcome),
    ([known, outcome]) => {
      const { event } = decideOutcome({ ...known, maybeArrived: true }, outcome, PACE);
      ok(["accepted", "in_doubt"].includes(LIFECYCLE[event].to));
    },
  ),
  law(
    "knowing that an earlier attempt may have arrived never makes a decision less cautious",
    fc.tuple(anyKnown(["submitting"]), anyOutcome),
    ([known, outcome]) => {
      const boldness = ["doubt", "accept", "defer", "decline"];
      const [careful, plain] = [true, false].map(
        (maybeArrived) => decideOutcome({ ...known, maybeArrived }, outcome, PACE).event,
      );
      if (plain === "decline" || plain === "defer")
        ok(boldness.indexOf(careful ?? "") < boldness.indexOf(plain));
    },
  ),
  law(
    "only a completed record with exactly our amount and currency settles (F76)",
    questions(["in_doubt", "accepted"]),
    ([known, answer]) => {
      if (eventOf(decideStatus(known, answer, PACE)) !== "settle") return;
      ok(answer.kind === "found" && answer.record.state === "completed");
      const { amount, currency } = answer.record;
      equal(currency.toUpperCase(), known.money.currency);
      const [whole = "", fraction = ""] = amount.trim().split(".");
      equal(
        BigInt(
          whole + fraction.padEnd(known.money.minorDigits, "0").slice(0, known.money.minorDigits),
        ),
        known.money.minor,
      );
      ok(!/[1-9]/.test(fraction.slice(known.money.minorDigits)));
    },
  ),
  law(
    "a completed record with our amount settles a sent payout",
    fc.tuple(anyKnown(["in_doubt", "accepted"]), fc.nat(4)),
    ([known, zeros]) => {
      const point = known.money.minorDigits === 0 && zeros > 0 ? "." : "";
      const amount = formatMoney(known.money) + point + "0".repeat(zeros);
      const answer = found({ state: "completed", amount, currency: known.money.currency });
      equal(eventOf(decideStatus(known, answer, PACE)), "settle");
      const more = { ...known.money, minor: known.money.minor + 1n };
      equal(eventOf(decideStatus({ ...known, money: more }, answer, PACE)), "hold");
    },
  ),
  law(
    "no payout is settled, accepted or declined without a record",
    fc.tuple(anyKnown(ASKED), fc.constantFrom(NOT_FOUND, NO_ANSWER)),
    ([known, answer]) => {
      ok(["wait", "resend", "hold"].includes(eventOf(decideStatus(known, answer, PACE))));
    },
  ),
  law(
    "only a failed record with our amount declines, and never for a code that may not be ours (F50)",
    questions(["in_doubt", "accepted"]),
    ([known, answer]) => {
      if (eventOf(decideStatus(known, answer, PACE)) !== "decline") return;
      ok(answer.kind === "found" && answer.record.state === "failed");
      const flags = ["duplicate_unexplained", "duplicate_matched", "sent_before_restore"];
      ok(!flags.includes(reasonCode(known.reason) ?? ""));
    },
  ),
  law(
    "F57 silence changes no state until a doubt is too old to be sent again",
    anyKnown(ASKED),
    (known) => {
      const isOld = known.state === "in_doubt" && known.sinceFirstSentMs > PACE.resendWithinMs;
      equal(short(decideStatus(known, NO_ANSWER, PACE)), isOld ? "hold status_unanswered" : "wait");
    },
  ),
  law(
    "F53 no payout is resent after the window or when the gateway knows the code",
    questions(ASKED),
    ([known, answer]) => {
      if (decideStatus(known, answer, PACE).kind !== "resend") return;
      equal(answer.kind, "not_found");
      ok(known.sinceFirstSentMs <= PACE.resendWithinMs);
      ok(known.statusAnswer === "not_found" && known.statusAnswerTimes >= 1);
      ok(reasonCode(known.reason) !== "duplicate_unexplained");
    },
  ),
  law(
    "a payout too old to be sent again remains too old",
    fc.tuple(anyKnown(["in_doubt"]), fc.nat(HOUR_MS)),
    ([known, moreMs]) => {
      const late = { ...known, sinceFirstSentMs: PACE.resendWithinMs + 1 + moreMs };
      ok(decideStatus(late, NOT_FOUND, PACE).kind !== "resend");
    },
  ),
  law(
    'a "not found" that was not accepted is accepted later, never the other way round',
    fc.tuple(anyKnown(["in_doubt"]), fc.nat(HOUR_MS)),
    ([known, moreMs]) => {
      const young = { ...known, sinceFirstSentMs: 0 };
      const isBelieved = (sinceLastSentMs: number) =>
        decideStatus({ ...young, sinceLastSentMs }, NOT_FOUND, PACE).kind !== "wait";
      if (isBelieved(known.sinceLastSentMs)) ok(isBelieved(known.sinceLastSentMs + moreMs));
    },
  ),
  law(
    "a retry of a declined payout is never sent again once the original is in question",
    questions(["in_doubt"]),
    ([known, answer]) => {
      ok(decideStatus({ ...known, isInvalidRetry: true }, answer, PACE).kind !== "resend");
    },
  ),
  law(
    "a final payout moves only to on_hold",
    questions(["settled", "declined"]),
    ([known, answer]) => {
      ok(["wait", "hold"].includes(eventOf(decideStatus(known, answer, PACE))));
    },
  ),
  law(
    "a payout known to the gateway before it was sent is put on hold, or accepted as ours on a frozen ledger (F26)",
    questions(["awaiting_approval", "approved"]),
    ([known, answer]) => {
      const event = eventOf(decideStatus(known, answer, PACE));
      if (answer.kind !== "found") equal(event, "wait");
      else if (event !== "accept") equal(event, "hold");
      else {
        ok(known.isFrozen && known.state === "approved");
        equal(answer.record.currency.toUpperCase(), known.money.currency);
      }
    },
  ),
  law(
    "F60 waits are bounded, and the jitter never makes one longer",
    fc.tuple(anyKnown(["in_doubt", "accepted"]), anyOutcome, anyPace),
    ([known, outcome, pace]) => {
      ok(decideOutcome(known, outcome, pace).dueInMs <= 300_000);
      const next = decideStatus(known, NOT_FOUND, pace);
      if (next.kind === "wait") ok(next.dueInMs <= 1.25 * 600_000);
    },
  ),
];
