import { describe, expect, test } from "vitest";
import {
  approveVerb,
  chosenOf,
  lateTime,
  sendOf,
  standingChoice,
} from "../../dashboard/src/pages/approval/send-time-choice.ts";

const SAYS = "2026-11-22 23:57 UTC";
const AT_MS = Date.parse("2026-11-22T23:57:00Z");
const send = { at: new Date(AT_MS).toISOString(), says: SAYS };

/** The form's content and request when the approver changes nothing. */
function untouched(standing: typeof send | null, nowMs: number, missing = 1) {
  const late = lateTime(standing, nowMs);
  const chosen = standingChoice(standing, nowMs);
  return { verb: approveVerb(3, missing, chosen, late), sent: sendOf(chosen, late) };
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
    const typed = chosenOf(SAYS);
    expect([approveVerb(3, 1, typed, SAYS), sendOf(typed, SAYS)]).toEqual([verb, { at: SAYS }]);
  });

  test("starts without a day when the current time has passed", () => {
    expect(standingChoice(send, AT_MS)).toMatchObject({ date: "", time: "23:57", zone: "UTC" });
    const other = chosenOf("2026-11-23 09:00 UTC");
    expect(sendOf(other, SAYS)).toEqual({ at: "2026-11-23 09:00 UTC" });
    expect(approveVerb(3, 1, other, SAYS)).toBe("Approve and schedule 3 payouts");
  });
});
