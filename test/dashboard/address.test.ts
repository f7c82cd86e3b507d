import { expect, test } from "vitest";
import { addressOf } from "../../dashboard/src/server/address.ts";

test("sends an empty text to the server and omits absent values", () => {
  const query = { column: "", code: undefined, sentence: null, limit: 25, state: ["a", "b"] };
  const { method, address } = addressOf("GET /api/batches/:id/rows", {
    params: { id: "B/1" },
    query,
  });
  expect(method).toBe("GET");
  expect(address).toBe("/api/batches/B%2F1/rows?column=&limit=25&state=a&state=b");
});
