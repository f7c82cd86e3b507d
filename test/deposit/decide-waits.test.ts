import { describe, expect, test } from "vitest";
import { decideDepositStatus } from "#deposit/decide-status.ts";
import type { KnownDeposit } from "#deposit/decision.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { KNOWN, MONEY, NOT_FOUND, SILENT, found } from "./known.ts";
import type { Timings } from "#payout/decision.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Waits are spread: with this random value each one is an eighth longer. */
const PACE: Timings = {
  resolveAfterMs: 5_000,
  resendAfterMs: 5_000,
  resendWithinMs: 24 * HOUR_MS,
  random: () => 0.75,
};
const wait = (dueInMs: number | null, statusAnswer: string | null = null) => ({
  kind: "wait",
  dueInMs,
  statusAnswer,
});
const rests = wait(null);
const move = (
  event: string,
  reason: string | null,
  dueInMs: number | null,
  facts: object = { gatewayNumber: "DP1" },
) => ({ kind: "move", event, reason, dueInMs, facts });
const unseen = (event: string, reason: string | null, dueInMs: number | null) =>
  move(event, reason, dueInMs, {});
const hold = (reason: string, dueInMs: number | null = null) => move("hold", reason, dueInMs);
const doubted = { state: "in_doubt", reason: "no_answer" } as const;
const again = { statusAnswer: "not_found", statusAnswerTimes: 1 } as const;
const expired = { state: "expired" } as const;
const manual = (reason: string) => ({ state: "manual", reason }) as const;
const second = { ...doubted, step: 2, steps: 2 } as const;

type Case = readonly [string, Partial<KnownDeposit>, StatusAnswer, object];
const decide = (change: Partial<KnownDeposit>, answer: StatusAnswer) =>
  decideDepositStatus({ ...KNOWN, ...change }, answer, PACE);

// biome-ignore format: the columns are the point
describe("queries an older deposit less often", () => {
  test.each<Case>([
    ["young",                         { sinceLastSentMs: 1_000 },                                   found("pending"), wait(5_625)],
    ["a minute old",                  {},                                                           found("pending"), wait(16_875)],
    ["hours old",                     { sinceLastSentMs: 9 * HOUR_MS, untilExpiryMs: HOUR_MS },     found("pending"), wait(135_000)],
    ["just before expiry",            { untilExpiryMs: 3_000 },                                     found("pending"), wait(4_000)],
    ["unanswered before expiry",      {},                                                           SILENT,           wait(16_875)],
    ["in doubt for a second",         { ...doubted, sinceLastSentMs: 1_000 },                       NOT_FOUND,        wait(563, "not_found")],
    ["in doubt past expiry",          { ...doubted, untilExpiryMs: -MINUTE_MS },                    NOT_FOUND,        wait(16_875, "not_found")],
    ["expired a minute ago",          { ...expired, untilExpiryMs: -MINUTE_MS },                    found("pending"), wait(67_500)],
    ["expired an hour ago",           { ...expired, untilExpiryMs: -HOUR_MS },                      found("failed"),  wait(506_250)],
    ["just expired, after many queries", { ...expired, untilExpiryMs: -1, sinceLastSentMs: 2 * HOUR_MS }, NOT_FOUND, wait(1_012_500)],
    ["expired three days ago",        { ...expired, untilExpiryMs: -72 * HOUR_MS },                 NOT_FOUND,        wait(2_025_000)],
    ["expired for more than three days", { ...expired, untilExpiryMs: -72 * HOUR_MS - 1 },             NOT_FOUND,        rests],
    ["expired for more than three days, unanswered", { ...expired, untilExpiryMs: -72 * HOUR_MS - 1 },            SILENT,           wait(2_025_000)],
    ["manual for three days",         { ...manual("unclear_status: x"), untilExpiryMs: -72 * HOUR_MS },     found("unclear"), wait(675_000, "unclear")],
    ["manual for more than three days", { ...manual("unclear_status: x"), untilExpiryMs: -72 * HOUR_MS - 1 }, found("unclear"), rests],
    ["with the provider for more than three days", { ...manual("manual_process"), untilExpiryMs: -72 * HOUR_MS - 1 },    found("manual"),  wait(675_000)],
    ["manual permanently",            manual("contradiction: x"),                                   found("completed"), rests],
  ])("%s", (_what, change, answer, decided) => {
    expect(decide(change, answer)).toEqual(decided);
  });
});

// biome-ignore format: the columns are the point
describe("the deadline of the payer has passed", () => {
  const now = { untilExpiryMs: 0 };
  test.each<Case>([
    ["pending",                       now,                                        found("pending"), unseen("expire", null, MINUTE_MS)],
    ["pending, before the account",   { ...now, state: "awaiting_bank" },         found("pending"), unseen("expire", null, MINUTE_MS)],
    ["not there",                     now,                                        NOT_FOUND,        unseen("expire", null, MINUTE_MS)],
    ["not found, before the account", { ...now, state: "awaiting_bank" },         NOT_FOUND,        unseen("expire", null, MINUTE_MS)],
    ["silent",                        now,                                        SILENT,           unseen("expire", null, MINUTE_MS)],
    ["unanswered and in doubt",       { ...now, ...doubted },                     SILENT,           unseen("expire", "status_unanswered", MINUTE_MS)],
    ["failed",                        now,                                        found("failed"),  move("expire", "failed_at_gateway", MINUTE_MS)],
    ["failed while a person reviews it", { ...now, ...manual("manual_process") }, found("failed"), move("decline", "failed_at_gateway", MINUTE_MS)],
  ])("%s", (_what, change, answer, decided) => {
    expect(decide(change, answer)).toEqual(decided);
  });
});

// biome-ignore format: the columns are the point
describe("a record is compared with the deposit", () => {
  const strangers = { ...doubted, reason: "duplicate_unexplained" } as const;
  const completed = { state: "completed", paid: MONEY } as const;
  const full = { gatewayNumber: "DP1", paid: 50_000n };
  test.each<Case>([
    ["paid",                          {},                                         found("completed"), move("complete", null, null, full)],
    ["paid, expected amount unknown", { payable: null },                         found("completed"), move("complete", null, null, full)],
    ["paid as requested, different amount instructed", { payable: { ...MONEY, minor: 49_000n } }, found("completed"), move("complete", "paid_differently", null, full)],
    ["paid, matched duplicate code", { reason: "duplicate_matched" },         found("completed"), move("complete", "duplicate_matched", null, full)],
    ["paid, reported again",          completed,                                  found("completed"), rests],
    ["currency in lower case", {},                                         found("completed", { currency: "inr" }), move("complete", null, null, full)],
    ["another currency",              {},                                         found("completed", { currency: "KRW" }), hold("code_not_ours: the gateway reports KRW 500.00")],
    ["another currency while a person reviews it", manual("manual_process"),    found("completed", { currency: "KRW" }), wait(675_000)],
    ["another amount for a code used before payrun", strangers,              found("pending", { amount: "9.00" }), hold("code_not_ours: the gateway reports INR 9.00")],
    ["failed, code used before payrun", strangers,                     found("failed"),    hold("code_not_ours: the gateway reports INR 500.00")],
    ["more decimals than the currency has", {},                                     found("completed", { amount: "1.005" }), wait(16_875, "unclear")],
    ["unclear for the second time",   { statusAnswer: "unclear", statusAnswerTimes: 1 },        found("unclear"),   wait(16_875, "unclear")],
    ["unclear after another answer",  { statusAnswer: "not_found", statusAnswerTimes: 2 },      found("unclear"),   wait(16_875, "unclear")],
    ["unclear for the third time",    { statusAnswer: "unclear", statusAnswerTimes: 2 },        found("unclear"),   hold("unclear_status: the gateway reports INR 500.00", 600_000)],
    ["completed, then unclear",       completed,                                  found("unclear"),   hold("contradiction: completed, now unclear: the gateway reports INR 500.00")],
    ["completed, then unreadable amount", completed,                  found("completed", { amount: "5,00" }), hold("contradiction: completed, now unclear: the gateway reports INR 5,00")],
    ["refused, then unclear",         { state: "declined", reason: "refused" },   found("unclear"),   hold("contradiction: declined, now unclear: the gateway reports INR 500.00")],
    ["failed, then unclear",          { state: "declined", reason: "failed_at_gateway" }, found("unclear"), wait(67_500, "unclear")],
    ["failed, then unclear for the third time", { state: "declined", reason: "failed_at_gateway", statusAnswer: "unclear", statusAnswerTimes: 2 }, found("unclear"), hold("unclear_status: the gateway reports INR 500.00", 600_000)],
    ["expired, then unclear",         { ...expired, untilExpiryMs: -MINUTE_MS },  found("unclear"),   wait(67_500, "unclear")],
    ["expired, then unclear for the third time", { ...expired, untilExpiryMs: -MINUTE_MS, statusAnswer: "unclear", statusAnswerTimes: 2 }, found("unclear"), hold("unclear_status: the gateway reports INR 500.00", 600_000)],
    ["expired beyond the last query, then unclear", { ...expired, untilExpiryMs: -72 * HOUR_MS - 1 }, found("unclear"), hold("contradiction: expired, now unclear: the gateway reports INR 500.00")],
    ["with the provider",             {},                                         found("manual"),    hold("manual_process", 600_000)],
    ["completed, then with the provider", completed,                                  found("manual"),    hold("contradiction: completed, now manual")],
    ["declined, then with the provider", { state: "declined", reason: "refused" },   found("manual"),    hold("contradiction: declined, now manual")],
    ["closed, then another currency", { state: "resolved", reason: "resolved_not_received: x" }, found("completed", { currency: "KRW" }), rests],
  ])("%s", (_what, change, answer, decided) => {
    expect(decide(change, answer)).toEqual(decided);
  });
});

// biome-ignore format: the columns are the point
describe("a doubt is explained or waits", () => {
  const twice = { ...doubted, ...again };
  const strangers = { ...twice, reason: "duplicate_unexplained" } as const;
  const resend = (dueInMs: number) => ({ kind: "resend", dueInMs, statusAnswer: "not_found" });
  test.each<Case>([
    ["pending",                             doubted,                                found("pending"), move("accept", "answer_lost", 5_000)],
    ["pending, step 1 of two",              { ...doubted, steps: 2 },               found("pending"), move("request_account", "banks_lost", 5_000, { gatewayNumber: "DP1", banks: [] })],
    ["pending, account may be on its way",  { ...second, sinceLastSentMs: 9_999 },  found("pending"), wait(2_812)],
    ["pending, account never arrived",      { ...second, sinceLastSentMs: 10_000 }, found("pending"), move("request_account_again", "account_not_seen", 5_000)],
    ["pending, account known",              { ...second, reason: "account_known" }, found("pending"), move("accept", "answer_lost", 5_000)],
    ["not there, too soon",                 { ...twice, sinceLastSentMs: 9_999 },   NOT_FOUND,        wait(2_812, "not_found")],
    ["not there, twice",                    { ...twice, sinceLastSentMs: 10_000 },  NOT_FOUND,        resend(2_813)],
    ["not there, once",                     doubted,                                NOT_FOUND,        wait(16_875, "not_found")],
    ["not found after three requests, too soon", { ...twice, attempts: 3, sinceLastSentMs: 39_999 }, NOT_FOUND, wait(11_250, "not_found")],
    ["not found after three requests",      { ...twice, attempts: 3, sinceLastSentMs: 40_000 }, NOT_FOUND, resend(11_250)],
    ["account not found",                   { ...second, ...again },                NOT_FOUND,        unseen("request_account_again", "account_not_seen", 5_000)],
    ["not found within the payer's patience", { ...twice, sinceFirstSentMs: 15 * MINUTE_MS }, NOT_FOUND, resend(16_875)],
    ["not found past the payer's patience", { ...twice, sinceFirstSentMs: 15 * MINUTE_MS + 1 }, NOT_FOUND, unseen("expire", "never_shown", MINUTE_MS)],
    ["arrived but not found",               { ...twice, reason: "duplicate_arrived" }, NOT_FOUND,     wait(16_875, "not_found")],
    ["used before payrun, not found",       strangers,                              NOT_FOUND,        unseen("hold", "duplicate_not_shown", 600_000)],
    ["used before payrun, not found too soon", { ...strangers, sinceLastSentMs: 59_999 }, NOT_FOUND,  wait(16_875, "not_found")],
    ["used before payrun, not found once",  { ...strangers, statusAnswerTimes: 0, statusAnswer: null }, NOT_FOUND,  wait(16_875, "not_found")],
  ])("%s", (_what, change, answer, decided) => {
    expect(decide(change, answer)).toEqual(decided);
  });

  test("is not repeated once the gateway may have forgotten the code", () => {
    const known = { ...KNOWN, ...twice, sinceFirstSentMs: MINUTE_MS + 1 };
    const forgetful = { ...PACE, resendWithinMs: MINUTE_MS };
    expect(decideDepositStatus(known, NOT_FOUND, forgetful)).toEqual(unseen("expire", "never_shown", MINUTE_MS));
  });
});
