import { describe, expect, test } from "vitest";
import { decideDepositOutcome, decideRetry } from "#deposit/decide-outcome.ts";
import { parseAmountOf } from "#deposit/decision.ts";
import type { DepositOutcome } from "#deposit/outcome.ts";
import { DEPOSIT_REASONS } from "#deposit/reasons.ts";
import { DEPOSIT_ANSWERS } from "#gateway/deposit-answers.ts";
import { KNOWN, MONEY } from "./known.ts";
import type { Timings } from "#payout/decision.ts";

const PACE: Timings = {
  resolveAfterMs: 5_000,
  resendAfterMs: 5_000,
  resendWithinMs: 86_400_000,
  random: () => 0.5,
};
type Known = Parameters<typeof decideDepositOutcome>[0];

const DESTINATION = { kind: "upi", upiId: "pay@upi", qrUrl: null } as const;
const accepted = (amount: string): DepositOutcome => ({
  kind: "accepted",
  gatewayNumber: "DP1",
  amount,
  destination: DESTINATION,
  expiry: null,
});
const BANKS = [{ code: "004", name: "KB" }];
const askBank: DepositOutcome = { kind: "awaiting_bank", amount: "500.00", banks: BANKS };
const declined: DepositOutcome = { kind: "declined", code: "110", text: "no such bank" };
const doubted: DepositOutcome = { kind: "in_doubt", code: "117", text: "server error" };
const duplicate: DepositOutcome = { kind: "duplicate" };
const deferred = (until?: "person" | "wait"): DepositOutcome => ({
  kind: "deferred",
  code: "119",
  text: "not now",
  stop: until ? { until, reason: "said so" } : null,
});

const move = (event: string, reason: string | null, dueInMs: number | null, facts = {}) => ({
  kind: "move",
  event,
  reason,
  dueInMs,
  facts,
});
const doubt = (reason: string) => move("doubt", reason, 500);
const wait = (dueInMs: number) => ({ kind: "wait", dueInMs, statusAnswer: null });
const arrived = { maybeArrived: true };
const first = { steps: 2 } as const;
const second = { step: 2, steps: 2 } as const;
const QUARTER_MS = 15 * 60_000;

describe("answer to a deposit request", () => {
  // biome-ignore format: the columns are the point
  test.each<[string, Partial<Known>, DepositOutcome, object]>([
    ["payment instructions and amount",       {},      accepted("499.5"),   move("accept", null, 5_000, { gatewayNumber: "DP1", payable: 49_950n, accepted: { destination: DESTINATION, expiry: null } })],
    ["payment instructions, after the account", second,  accepted("500"),     move("accept", null, 5_000, { gatewayNumber: "DP1", payable: 50_000n, accepted: { destination: DESTINATION, expiry: null } })],
    ["an amount that cannot be paid",         {},      accepted("1.005"),   doubt("no_answer: unusable amount 1.005")],
    ["a list of banks, step 1",               first,   askBank,             move("request_account", null, 5_000, { payable: 50_000n, banks: BANKS })],
    ["a list of banks, after the account",    second,  askBank,             doubt("no_answer: unexpected list of banks")],
    ["a list of banks in a one-step flow", {},    askBank,             doubt("no_answer: unexpected list of banks")],
    ["duplicate, before any doubt",           {},      duplicate,           doubt("duplicate_unexplained")],
    ["duplicate, after an unanswered request", arrived, duplicate,           doubt("duplicate_arrived")],
    ["duplicate account",                     second,  duplicate,           doubt("account_known")],
    ["refused",                               {},      declined,            move("decline", "refused: no such bank", null)],
    ["refused, after an unanswered request", arrived, declined,          doubt("refused_after_doubt: no such bank")],
    ["account refused",                       second,  declined,            move("request_account_again", "account_not_accepted: no such bank", 5_000)],
    ["not now",                               {},      deferred(),          wait(1_000)],
    ["not now, for the whole lane",           {},      deferred("wait"),    wait(1_000)],
    ["not now, third attempt",                { attempts: 3 }, deferred(),  wait(4_000)],
    ["not now, hundredth attempt",            { attempts: 100 }, deferred(), wait(30_000)],
    ["not now, at the end of the payer's patience", { sinceFirstSentMs: QUARTER_MS }, deferred(), wait(1_000)],
    ["not now, past the payer's patience", { sinceFirstSentMs: QUARTER_MS + 1 }, deferred(), move("decline", "not_accepted: not now", null)],
    ["not until a person fixes the cause",    {},      deferred("person"),  move("decline", "not_accepted: not now", null)],
    ["not now, after an unanswered request", arrived, deferred("person"), doubt("refused_after_doubt: not now")],
    ["account not accepted now",              second,  deferred("person"),  move("request_account_again", "account_not_accepted: not now", 5_000)],
    ["unreadable answer",                     {},      doubted,             doubt("no_answer: server error")],
  ])("%s", (_what, change, outcome, decided) => {
    expect(decideDepositOutcome({ ...KNOWN, ...change }, outcome, PACE)).toEqual(decided);
  });
});

test("repeats a request that was not accepted while the payer waits", () => {
  const after = (sinceFirstSentMs: number, change = {}) =>
    decideRetry({ ...KNOWN, sinceFirstSentMs, ...change }, PACE);
  expect(after(QUARTER_MS)).toBeNull();
  expect(after(QUARTER_MS + 1)).toEqual(move("decline", "not_accepted", null));
  expect(after(QUARTER_MS + 1, arrived)).toEqual(doubt("no_answer"));
  expect(after(QUARTER_MS + 1, second)).toEqual(
    move("request_account_again", "account_not_accepted", 5_000),
  );
});

test.each([
  ["500", 50_000n],
  [" 500.5 ", 50_050n],
  ["0.01", 1n],
  ["0.00", null],
  ["-1", null],
  ["1.005", null],
  ["", null],
  ["five", null],
])("converts an amount of %j to %s paise", (text, minor) => {
  expect(parseAmountOf(MONEY, text)).toBe(minor);
});

test.each(["duplicate_arrived", "duplicate_unexplained"] as const)(
  "maps %s to every gateway code with that meaning",
  (reason) => {
    const codes = Object.keys(DEPOSIT_ANSWERS).filter(
      (code) => DEPOSIT_ANSWERS[code]?.kind === "duplicate",
    );
    expect(DEPOSIT_REASONS[reason].match(/\b\d{3}\b/g)).toEqual(codes);
  },
);
