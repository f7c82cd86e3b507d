import { expect, test } from "vitest";
import { isZone as isZoneOnServer } from "#schedule/calendar.ts";
import { isZone } from "../../../dashboard/src/base/time-zone.ts";

test.each([
  ["Asia/Kolkata", true],
  ["Asia/Calcutta", true],
  ["UTC", true],
  ["Etc/GMT+5", true],
  ["+05:30", false],
  ["Nowhere/City", false],
  ["", false],
])("decides like the server whether %j is a time zone", (text, is) => {
  expect([isZone(text), isZoneOnServer(text)]).toEqual([is, is]);
});
