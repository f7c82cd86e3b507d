import { describe, expect, test } from "vitest";
import { decideDepositOutcome, decideRetry } from "#deposit/decide-outcome.ts";
import { decideDepositStatus } from "#deposit/decide-status.ts";
import type { KnownDeposit } from "#deposit/decision.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { KNOWN, MONEY, NOT_FOUND, SILENT, found } from "./known.ts";
import type { Timings } from "#payout/decision.ts";

const HOUR_MS = 3_600_000;
const PACE: Timings = {
  resolveAfterMs: 5_000,
  resendAfterMs: 5_000,
  resendWithinMs: 24 * HOUR_MS,
  random: () => 0.5,
};
const over = { untilExpiryMs: -60_000 };
const manual = (reason: string) => ({ state: "manual" as const, reason });
const closed = (reason: string) => ({ state: "resolved" as const, reason });
const doubted = { state: "in_doubt" as const, reason: "no_answer" };
const waits = { kind: "wait", dueInMs: expect.any(Number) };
const rests = { kind: "wait", dueInMs: null };
const moves = (event: string, reason: string | null, dueInMs: unknown = expect.anything()) => ({
  kind: "move",
  event,
  reason,
  dueInMs,
});

describe("gateway state of a deposit", () => {
  // biome-ignore format: the columns are the point
  test.each<[string, Partial<KnownDeposit>, StatusAnswer, object]>([
    ["paid as instructed",                      {},                                          found("completed"),           moves("complete", null, null)],
    ["paid with another amount",                {},                                          found("completed", { amount: "499.00" }), moves("complete", "paid_differently", null)],
    ["paid late",                               { state: "expired", ...over },               found("completed"),           moves("complete", "paid_late", null)],
    ["failed at expiry: a late payment is possible", over,                                       found("failed"),              moves("expire", "failed_at_gateway")],
    ["failed after expiry",                     { state: "expired", ...over },               found("failed"),              waits],
    ["failed before expiry",                    {},                                          found("failed"),              moves("decline", "failed_at_gateway")],
    ["failed, reported again",                  { state: "declined", reason: "failed_at_gateway", ...over }, found("failed"), waits],
    ["failed long ago",                         { state: "declined", reason: "failed_at_gateway", untilExpiryMs: -73 * HOUR_MS }, found("failed"), rests],
    ["failed, then a lagging replica",          { state: "declined", reason: "failed_at_gateway" }, found("pending"),      waits],
    ["failed, then paid",                       { state: "declined", reason: "failed_at_gateway" }, found("completed"),    moves("hold", "contradiction: declined, now completed", null)],
    ["refused, then found",                     { state: "declined", reason: "refused" },    found("pending"),             moves("hold", "contradiction: declined, now pending", null)],
    ["completed, then a lagging replica",       { state: "completed", paid: MONEY },         found("pending"),             rests],
    ["completed, then failed",                  { state: "completed", paid: MONEY },         found("failed"),              moves("hold", "contradiction: completed, now failed", null)],
    ["completed with another amount than before", { state: "completed", paid: MONEY },       found("completed", { amount: "1.00" }),   moves("hold", "contradiction: a different amount than before", null)],
    ["unclear, then clear",                     manual("unclear_status: x"),                 found("completed"),           moves("complete", null, null)],
    ["unclear, for days",                       { ...manual("unclear_status"), untilExpiryMs: -73 * HOUR_MS }, found("unclear"), rests],
    ["with people, for days",                   { ...manual("manual_process"), untilExpiryMs: -73 * HOUR_MS }, found("manual"),  waits],
    ["used before payrun, found later",         manual("duplicate_not_shown"),               found("completed"),           moves("complete", "duplicate_matched", null)],
    ["used before payrun, not ours",            manual("duplicate_not_shown"),               found("completed", { amount: "9.00" }),   waits],
    ["a contradiction waits for a person",      manual("contradiction"),                     found("completed"),           rests],
    ["closed as received, then confirmed", closed("resolved_received: INR 1"),           found("completed"),           rests],
    ["closed as received, then failed",         closed("resolved_received: INR 1"),             found("failed"),              moves("hold", "contradiction: resolved, now failed with 500.00", null)],
    ["closed as not received, then completed",  closed("resolved_not_received: x"),                 found("completed", { amount: "1.00" }),   moves("hold", "contradiction: resolved, now completed with 1.00", null)],
    ["closed as not received, then pending",    closed("resolved_not_received: x"),                 found("pending"),             rests],
    ["closed, then not found",                  closed("resolved_not_received: x"),                 NOT_FOUND,                    rests],
    ["unclear for the third time",              { statusAnswer: "unclear", statusAnswerTimes: 2 },         found("unclear"),             moves("hold", "unclear_status: the gateway reports INR 500.00")],
    ["in doubt, then pending",                  doubted,                                     found("pending"),             moves("accept", "answer_lost")],
    ["step 1 of KRW in doubt, then pending",    { ...doubted, steps: 2 },                    found("pending"),             moves("request_account", "banks_lost")],
    ["step 1 of KRW, code of another client",   { ...doubted, reason: "duplicate_unexplained", steps: 2 }, found("pending"), moves("request_account", "duplicate_matched")],
    ["an account that may be on its way",       { ...doubted, step: 2, steps: 2, sinceLastSentMs: 9_000 }, found("pending"), waits],
    ["an account that never came",              { ...doubted, step: 2, steps: 2 },           found("pending"),             moves("request_account_again", "account_not_seen")],
    ["not there, once",                         doubted,                                     NOT_FOUND,                    waits],
    ["not there, twice",                        { ...doubted, statusAnswer: "not_found", statusAnswerTimes: 1 }, NOT_FOUND,              { kind: "resend", dueInMs: expect.any(Number) }],
    ["not found after a refused repetition",    { ...doubted, reason: "refused_after_doubt", statusAnswer: "not_found", statusAnswerTimes: 1 }, NOT_FOUND, waits],
    ["never there",                             { ...doubted, statusAnswer: "not_found", statusAnswerTimes: 1, sinceFirstSentMs: HOUR_MS }, NOT_FOUND, moves("expire", "never_shown")],
    ["unanswered at expiry",                    { ...doubted, ...over },                     SILENT,                       moves("expire", "status_unanswered")],
  ])("%s", (_what, change, answer, decided) => {
    expect(decideDepositStatus({ ...KNOWN, ...change }, answer, PACE)).toMatchObject(decided);
  });
});

describe("answer to a request", () => {
  const after = (change: Partial<KnownDeposit>, text = "bank not found") =>
    decideDepositOutcome({ ...KNOWN, ...change }, { kind: "declined", code: "121", text }, PACE);

  test("declines on a refusal, unless an earlier request may have arrived", () => {
    expect(after({})).toMatchObject(moves("decline", "refused: bank not found", null));
    expect(after({ maybeArrived: true })).toMatchObject(
      moves("doubt", "refused_after_doubt: bank not found"),
    );
    expect(after({ step: 2, steps: 2 })).toMatchObject(
      moves("request_account_again", "account_not_accepted: bank not found"),
    );
  });

  test("treats a list of banks for a one-step currency as no answer", () => {
    const outcome = { kind: "awaiting_bank", amount: "500.00", banks: [] } as const;
    expect(decideDepositOutcome(KNOWN, outcome, PACE)).toMatchObject(
      moves("doubt", "no_answer: unexpected list of banks"),
    );
  });

  test("stops waiting when the payer has waited for hours", () => {
    const late = { ...KNOWN, sinceFirstSentMs: 10 * HOUR_MS };
    expect(decideRetry(KNOWN, PACE)).toBeNull();
    expect(decideRetry(late, PACE)).toMatchObject(moves("decline", "not_accepted", null));
    expect(decideRetry({ ...late, maybeArrived: true }, PACE)).toMatchObject(
      moves("doubt", "no_answer"),
    );
    expect(decideRetry({ ...late, step: 2, steps: 2 }, PACE)).toMatchObject(
      moves("request_account_again", "account_not_accepted"),
    );
  });
});
