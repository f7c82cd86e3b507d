import { expect, test } from "vitest";
import { batchSearch } from "../../../dashboard/src/pages/intake/batch/search-params.ts";

test("opens a tab of a batch by its name in the address or on the page", () => {
  expect(batchSearch({ tab: "timeline" })).toEqual({ tab: "timeline" });
  expect(batchSearch({ tab: "activity" })).toEqual({ tab: "timeline" });
  expect(batchSearch({ tab: "nothing" })).toEqual({});
});
