import { describe, expect, test } from "vitest";
import { unitsOf } from "#intake/amount-limits.ts";
import { laneName } from "#payout/lane/lane.ts";
import { sendMoment, findMissedCutOffs, readCutOffs } from "#schedule/cut-offs.ts";
import { whyHeldBack } from "#schedule/release.ts";
import { readHolidays } from "#schedule/working-days.ts";

const HOUR_MS = 3_600_000;

describe("a batch whose send time has come", () => {
  const at = new Date("2026-12-31T03:30:00Z");
  const due = (hoursLate: number, approvedHoursLate = -48) => ({
    batchId: "B1",
    local: "2026-12-31T09:00",
    zone: "Asia/Kolkata",
    at,
    expiresHours: 24,
    approvedAt: new Date(at.getTime() + approvedHoursLate * HOUR_MS),
    now: new Date(at.getTime() + hoursLate * HOUR_MS),
  });

  test("is released when its rows pass, up to the last minute of its approval", () => {
    expect([whyHeldBack(due(0), []), whyHeldBack(due(24), [])]).toEqual([null, null]);
  });
  test("F69 is held back when its approval has expired or its rows have problems", () => {
    expect(whyHeldBack(due(25), [])).toBe(
      "The approval has expired: the batch was scheduled for 2026-12-31 09:00 Asia/Kolkata and was not sent within 24 hours.",
    );
    expect(whyHeldBack(due(0), ["One thing.", "Another."])).toBe("One thing. Another.");
  });
  test("approved after its time counts from the approval", () => {
    expect(whyHeldBack(due(40, 30), [])).toBeNull();
  });
});

describe("cut-offs", () => {
  const units = unitsOf(new Map([["ETH", { chain: "evm", minorDigits: 18 }]]));
  const read = readCutOffs(
    "INR=16:00 Asia/Kolkata, M2/INR=11:00 Asia/Kolkata,JPY=14:30 Asia/Tokyo,ETH=12:00 UTC",
    units,
  );
  const holidays = readHolidays("INR,2026-01-26,Republic Day");
  if (!read.ok || !holidays.ok) throw new Error("the settings of the test cannot be read");
  const days = { cutOffs: read.value, holidays: holidays.value };
  const NAMES = new Map([["M1", "Main account"]]);
  const missed = (at: string, lanes = ["M1/INR", "M1/JPY", "M1/THB"]) =>
    findMissedCutOffs(lanes, new Date(at), days, (lane) => laneName(lane, NAMES));

  test("and holidays accept every configured currency", () => {
    expect(readHolidays("USDT-POLYGON,2026-01-26")).toMatchObject({ ok: true });
    expect(readHolidays("usdt,2026-01-26")).toMatchObject({ ok: false });
  });

  test("are reported for each lane that misses its own, in its zone", () => {
    expect(missed("2026-12-30T05:00:00Z")).toEqual([]);
    expect(missed("2026-12-30T05:31:00Z", ["M2/INR"])).toEqual([
      "INR · M2: 2026-12-30 11:01 Asia/Kolkata is after the 11:00 cut-off.",
    ]);
    expect(missed("2026-12-30T08:00:00Z")).toEqual([
      "JPY · Main account: 2026-12-30 17:00 Asia/Tokyo is after the 14:30 cut-off.",
    ]);
  });
  test("include days on which the banks are closed", () => {
    expect(missed("2026-01-26T05:00:00Z")).toEqual([
      "INR · Main account: 2026-01-26 10:30 Asia/Kolkata is not a working day for its banks.",
    ]);
  });
  test("are those of the send time, or of now without a future one", () => {
    const [now, later] = [new Date("2026-12-30T05:00:00Z"), new Date("2026-12-30T05:00:00.001Z")];
    expect([sendMoment(later, now), sendMoment(now, later), sendMoment(undefined, now)]).toEqual([
      later,
      later,
      now,
    ]);
  });
  test.each([
    ["an invalid time", "JPY=25:00 Asia/Tokyo"],
    ["an unknown lane", "inr=01:00 UTC"],
    ["a lane with an invalid currency", "M1/inr=01:00 UTC"],
    ["a currency that is not configured", "XYZ=16:00 UTC"],
    ["a merchant only", "M1/=16:00 UTC"],
    ["a repeated name", "INR=15:00 UTC"],
    ["nothing", ""],
  ])("report %s", (_what, error) => {
    expect(readCutOffs(`INR=16:00 Asia/Kolkata,${error}`, units)).toEqual({ ok: false, error });
  });
});
