import { expect, test } from "vitest";
import { isZone as isZoneOnServer } from "#schedule/calendar.ts";
import { allZones, isZone, readerZone, zoneLabel } from "../../../dashboard/src/base/time-zone.ts";

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

test.each([
  ["Asia/Kolkata", "Asia/Kolkata (GMT+5:30)"],
  ["America/Sao_Paulo", "America/Sao_Paulo (GMT-3)"],
  ["UTC", "UTC"],
  ["Nowhere/City", "Nowhere/City"],
])("shows %s with its offset", (zone, label) => {
  expect(zoneLabel(zone, Date.parse("2026-11-28T12:00:00Z"))).toBe(label);
});

test("lists places only, that of the reader first", () => {
  const zones = allZones();
  expect(zones[0]).toBe(readerZone());
  expect(zones.filter((zone) => zone.startsWith("Etc/"))).toEqual([]);
});

test("lists each zone once, by its current name", () => {
  const zones = allZones();
  expect(zones).toEqual(expect.arrayContaining(["UTC", "Asia/Kolkata", "Europe/Berlin"]));
  expect(zones).not.toContain("Asia/Calcutta");
  expect(new Set(zones).size).toBe(zones.length);
});
