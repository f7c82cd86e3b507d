import { readAmount } from "../../../../base/money.ts";
import { messages } from "./messages.ts";

const texts = messages.expected;

/** A value for the API, or the problem of the entered text. */
interface Read<Value> {
  readonly value: Value;
  readonly refusal: string | null;
}

/** Reads "1,200" as 1200 and an empty text as null. */
export function readExpectedRows(typed: string): Read<number | null> {
  if (typed.trim() === "") return { value: null, refusal: null };
  const { amount } = readAmount(typed, "");
  const isWhole = amount !== null && !amount.includes(".");
  return isWhole
    ? { value: Number(amount), refusal: null }
    : { value: null, refusal: texts.wholeNumber };
}

const SUM = /^([A-Z0-9-]{2,40})[\s=]+(.*)$/i;

/** Reads "INR 1,234.50; THB 20" as INR=1234.50 and THB=20. */
export function readExpectedSums(typed: string): Read<readonly string[]> {
  const sums = typed
    .split(";")
    .map((sum) => sum.trim())
    .filter((sum) => sum !== "")
    .map(readSum);
  const refusal = sums.find((sum) => sum.refusal !== null)?.refusal ?? null;
  return { value: refusal === null ? sums.map(({ value }) => value) : [], refusal };
}

function readSum(typed: string): Read<string> {
  const [, code = "", rest = ""] = SUM.exec(typed) ?? [];
  if (code === "") return { value: "", refusal: texts.currencyAndAmount };
  const currency = code.toUpperCase();
  const { amount, refusal } = readAmount(rest, "");
  return { value: `${currency}=${amount}`, refusal };
}
