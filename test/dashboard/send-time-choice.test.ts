import { describe, expect, test } from "vitest";
import {
  approveButtonText,
  choiceOf,
  passedSendTime,
  requestedSendTime,
  initialChoice,
} from "../../dashboard/src/pages/approval/send-time-choice.ts";

const SAYS = "2026-11-22 23:57 UTC";
const AT_MS = Date.parse("2026-11-22T23:57:00Z");
const send = { at: new Date(AT_MS).toISOString(), says: SAYS };

/** The form's content and request when the approver changes nothing. */
function untouched(standing: typeof send | null, nowMs: number, missing = 1) {
  const late = passedSendTime(standing, nowMs);
  const chosen = initialChoice(standing, nowMs);
  return {
    verb: approveButtonText(3, missing, chosen, late),
    sent: requestedSendTime(chosen, late),
  };
}

describe("the approver's choice of send time", () => {
  test("is the batch's current time by default", () => {
    const verb = "Approve and schedule 3 payouts";
    expect(untouched(send, AT_MS - 1)).toEqual({ verb, sent: { at: SAYS } });
    expect(untouched(null, AT_MS)).toEqual({ verb: "Approve and send 3 payouts", sent: "now" });
  });

  test("is that time even after it has passed, and the button states the consequence", () => {
    const verb = "Approve and send 3 payouts immediately";
    expect(untouched(send, AT_MS)).toEqual({ verb, sent: { at: SAYS } });
    expect(untouched(send, AT_MS, 2).verb).toBe("Approve 3 payouts; 1 approval still needed");
    const typed = choiceOf(SAYS);
    expect([approveButtonText(3, 1, typed, SAYS), requestedSendTime(typed, SAYS)]).toEqual([
      verb,
      { at: SAYS },
    ]);
  });

  test("starts without a day when the current time has passed", () => {
    expect(initialChoice(send, AT_MS)).toMatchObject({ date: "", time: "23:57", zone: "UTC" });
    const other = choiceOf("2026-11-23 09:00 UTC");
    expect(requestedSendTime(other, SAYS)).toEqual({ at: "2026-11-23 09:00 UTC" });
    expect(approveButtonText(3, 1, other, SAYS)).toBe("Approve and schedule 3 payouts");
  });
});
