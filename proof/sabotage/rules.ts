import type { Sabotage } from "./sabotage.ts";

const DECIDE = "src/payout/decide.ts";
const LIFECYCLE = "src/payout/payout-lifecycle.ts";

/** Mistakes in the rules about money. */
export const RULE_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the first report that a settled payout failed returns it",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: "return isReturnReported(known) && known.statusAnswerForMs >= waitMs",
        replace: 'return known.state === "settled" && waitMs > 0',
      },
    ],
  },
  {
    name: "a payout that is not settled is returned",
    breaks: "I8",
    caughtBy: "simulation",
    edits: [
      {
        file: DECIDE,
        find: ': move("decline", storedReason("failed_at_gateway"), 0, record.gatewayNumber);',
        replace: ': move("return", storedReason("returned_by_gateway"), 0, record.gatewayNumber);',
      },
      {
        file: LIFECYCLE,
        find: 'return:  { from: ["settled"], ',
        replace: 'return:  { from: ["settled", "in_doubt", "accepted"], ',
      },
    ],
  },
  {
    name: "a returned payout stays returned when the gateway reports it as completed",
    breaks: "I9",
    caughtBy: "drill",
    tests: "payout/returns",
    edits: [
      {
        file: DECIDE,
        find: 'if (known.state !== "settled") return `${known.state}, now completed`;',
        replace: 'if (known.state === "declined") return `${known.state}, now completed`;',
      },
    ],
  },
  {
    name: "a code that was sent twice is returned by the record of either request",
    breaks: "I9",
    caughtBy: "drill",
    tests: "payout/returns",
    edits: [{ file: DECIDE, find: " && isOwnRecord(known, record))", replace: ")" }],
  },
  {
    name: "an answer that contradicts a return is dropped because it is recorded late",
    breaks: "I9",
    caughtBy: "drill",
    tests: "flows/payout/returns",
    edits: [
      {
        file: "src/flows/payout/status-query.ts",
        find: 'decision.kind === "move" ? decision.event === "hold" :',
        replace: 'decision.kind === "move" ? decision.event === "return" :',
      },
    ],
  },
  {
    name: "returned payouts are retried without confirmation",
    breaks: "I6",
    caughtBy: "drill",
    tests: "flows/payout/returns",
    edits: [
      {
        file: "src/ledger/payout/retry-batches.ts",
        find: "${page.withReturned ? sql`` : sql`and p.state = 'declined'`}",
        replace: "${page.withReturned ? sql`` : sql``}",
      },
      {
        file: "src/flows/payout/retry-batch.ts",
        find: "if (!isSameTotals(this.#order.returned ?? [], totals))",
        replace: "if (!isSameTotals(this.#order.returned ?? totals, totals))",
      },
    ],
  },
  {
    name: "a retry is sent although its returned payout is on hold",
    breaks: "I1",
    caughtBy: "drill",
    tests: "flows/payout/returns",
    edits: [
      {
        file: "src/ledger/payout/retry-batches.ts",
        find: "and a.state not in ('declined', 'returned')) > 0)`;",
        replace: "and a.state not in ('declined', 'returned', 'on_hold')) > 0)`;",
      },
    ],
  },
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
