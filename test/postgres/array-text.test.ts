import { expect, test } from "vitest";
import { arrayText } from "#postgres/array-text.ts";

test("writes numbers, digits, truth values and nulls as PostgreSQL reads them", () => {
  expect(arrayText([1, -2n, "-9223372036854775808", null, true, false])).toBe(
    "{1,-2,-9223372036854775808,null,true,false}",
  );
  expect(arrayText([])).toBe("{}");
});
