import { expect, test } from "vitest";
import { addressOf } from "../../dashboard/src/address.ts";

test("an empty text goes to the server, and what was left out does not", () => {
  const query = { column: "", code: undefined, sentence: null, limit: 25, state: ["a", "b"] };
  const { method, address } = addressOf("GET /api/batches/:id/rows", {
    params: { id: "B/1" },
    query,
  });
  expect(method).toBe("GET");
  expect(address).toBe("/api/batches/B%2F1/rows?column=&limit=25&state=a&state=b");
});
