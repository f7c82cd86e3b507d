/** The names of columns, and of the kinds of PIX keys, for people. */
import { expect, test } from "vitest";
import {
  pixKeyName,
  withColumnNames,
} from "../../../dashboard/src/components/payout/column-messages.ts";

test("replaces the names of columns in a sentence, and no other words", () => {
  expect(withColumnNames("bank_code is empty. Compare it with my_own_code.")).toBe(
    "Bank code is empty. Compare it with my_own_code.",
  );
});

test("names the kind of a PIX key only for BRL", () => {
  expect(pixKeyName("BRL", "CPF")).toBe("PIX key, CPF");
  expect(pixKeyName("BRL", "341")).toBeUndefined();
  expect(pixKeyName("PHP", "PHONE")).toBeUndefined();
});
