/** The form of a schedule that is edited: it sends every stored setting back unchanged. */
import { expect, test } from "vitest";
import { draftOf, settingsOf } from "../../dashboard/src/pages/schedule/schedule-draft.ts";

test("keeps all settings of a schedule that runs every two weeks", () => {
  const calendar = {
    rule: { every: "week", on: ["mon", "fri"], weeks: 2, from: "2027-01-04" },
    time: "09:00",
    zone: "Asia/Kolkata",
    holidays: "INR",
    shift: "before",
  } as const;
  const settings = {
    name: "Wages",
    folder: "wages",
    amounts: "1.234,56" as const,
    currency: "INR",
    lead_hours: 0,
    grace_hours: 5,
    expires_hours: 6,
  };
  const draft = draftOf({
    ...settings,
    calendar: { ...calendar, rule: { ...calendar.rule, on: ["mon", "fri"] } },
    id: "SC1",
    note: null,
    says: "",
    list: null,
    list_batch: null,
    state: "active",
    reason: null,
    maker: "user:1",
    version: 1,
    created_at: "2026-11-27T00:00:00Z",
    next: [],
    occurrences: [],
    undecided: [],
  });
  expect(settingsOf(draft, false)).toEqual({ ...settings, calendar });
});
