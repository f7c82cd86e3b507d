import type { Sabotage } from "./sabotage.ts";

const DECIDE = "src/payout/decide.ts";
const LIFECYCLE = "src/payout/payout-lifecycle.ts";

/** Mistakes in the rules about money. */
export const RULE_SABOTAGES: readonly Sabotage[] = [
  {
    name: "111 is read as settled",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: '? move("accept", storedReason("duplicate_arrived"))',
        replace: '? move("settle", storedReason("duplicate_arrived"))',
      },
      {
        file: LIFECYCLE,
        find: 'settle:  { from: ["in_doubt", "accepted"], ',
        replace: 'settle:  { from: ["submitting", "in_doubt", "accepted"], ',
      },
    ],
  },
  {
    name: "accepted is read as settled",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: 'return move("accept", null, timings.resolveAfterMs);',
        replace: 'return move("settle", null, timings.resolveAfterMs);',
      },
      {
        file: LIFECYCLE,
        find: 'settle:  { from: ["in_doubt", "accepted"], ',
        replace: 'settle:  { from: ["submitting", "in_doubt", "accepted"], ',
      },
    ],
  },
  {
    name: "pending is read as settled",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: 'if (known.state === "accepted") return queryLater(known, timings, null);',
        replace: 'if (known.state === "accepted") return move("settle", null);',
      },
    ],
  },
  {
    name: "a refusal after an attempt without a response declines the payout",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: '? move("doubt", storedReason("refused_after_doubt", outcome.text), DOUBT_BASE_MS)',
        replace: '? move("decline", storedReason("refused", outcome.text))',
      },
    ],
  },
  {
    name: "a lane-wide refusal after an attempt without a response defers the payout",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: 'if (known.maybeArrived) return move("doubt", said, retryDelayMs(known.attempts, timings));',
        replace:
          'if (known.maybeArrived) return move("defer", said, retryDelayMs(known.attempts, timings));',
      },
    ],
  },
  {
    name: "not found is read as declined",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: 'if (isKeptBack) return queryLater(known, timings, "not_found");',
        replace: 'if (isKeptBack) return move("decline", reason("failed_at_gateway"));',
      },
    ],
  },
  {
    name: "a code is resent after the gateway may have forgotten it",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/why-not-resent.ts",
        find: "known.sinceFirstSentMs > pace.resendWithinMs;",
        replace: "known.sinceFirstSentMs > 1_000 * pace.resendWithinMs;",
      },
    ],
  },
  {
    name: "the amount of the gateway's record is not compared",
    breaks: "I3",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/record-money.ts",
        find: 'return amount.minor === minor && amount.minorDigits === minorDigits ? "same" : "different";',
        replace: 'return amount.minor !== minor && amount.minorDigits < 0 ? "different" : "same";',
      },
    ],
  },
  {
    name: "amounts are compared as floats",
    breaks: "I3",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/record-money.ts",
        find: 'return amount.minor === minor && amount.minorDigits === minorDigits ? "same" : "different";',
        replace:
          'return Number(amount.minor) === Number(minor) && amount.minorDigits === minorDigits ? "same" : "different";',
      },
    ],
  },
  {
    name: "the currency of the gateway's record is not compared",
    breaks: "I3",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/record-money.ts",
        find: 'if (record.currency.toUpperCase() !== currency) return "different";',
        replace: 'if (record.currency === "" && currency !== "") return "different";',
      },
    ],
  },
  {
    name: "a code is resent while the gateway may still process it",
    breaks: "I1",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/payout/resend.ts",
        find: "const inMs = Math.max(shownMs, processedMs, 0);",
        replace: "const inMs = Math.max(shownMs, 0);",
      },
    ],
  },
  {
    name: "totals are added as floats",
    breaks: "I3",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/money/money.ts",
        find: "minor: a.minor + b.minor,",
        replace: "minor: BigInt(Number(a.minor) + Number(b.minor)),",
      },
    ],
  },
  {
    name: "long silence is read as declined",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: '? move("hold", storedReason("status_unanswered", answer.text))',
        replace: '? move("decline", storedReason("refused", answer.text))',
      },
    ],
  },
];
