import { afterEach, expect, test } from "vitest";
import { setReaderZone } from "../../../dashboard/src/base/time-zone.ts";
import { batchesQuery } from "../../../dashboard/src/pages/intake/list/search-params.ts";

afterEach(() => setReaderZone(null));

test.each([
  ["Asia/Kolkata", "2026-11-21T18:30:00.000Z", "2026-11-22T18:30:00.000Z"],
  ["Europe/Berlin", "2026-11-21T23:00:00.000Z", "2026-11-22T23:00:00.000Z"],
])("filters the list of batches by calendar days in %s, the reader's zone", (readIn, from, to) => {
  setReaderZone(readIn);
  const day = "2026-11-22";
  expect(batchesQuery({ text: "rent", state: "approved", from: day, to: day })).toEqual({
    text: "rent",
    state: ["released"],
    from,
    to,
  });
});

test("leaves an invalid day for the API to refuse", () => {
  expect(batchesQuery({ from: "yesterday", to: "2026-13-45" })).toEqual({
    from: "yesterday",
    to: "2026-13-45",
  });
});
