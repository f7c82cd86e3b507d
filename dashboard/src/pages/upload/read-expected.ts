import { readAmount } from "../../money.ts";

/** What was typed, as the API asks for it, or how it is to be written instead. */
interface Read<Value> {
  readonly value: Value;
  readonly refusal: string | null;
}

/** "1,200" rows; nothing typed is nothing expected. */
export function readRows(typed: string): Read<number | null> {
  if (typed.trim() === "") return { value: null, refusal: null };
  const { amount } = readAmount(typed, "");
  const isWhole = amount !== null && !amount.includes(".");
  return isWhole
    ? { value: Number(amount), refusal: null }
    : { value: null, refusal: "Write a whole number, such as 1200." };
}

const SUM = /^([A-Z0-9-]{2,40})[\s=]+(.*)$/i;

/** "INR 1,234.50; THB 20" is INR=1234.50 and THB=20. */
export function readSums(typed: string): Read<readonly string[]> {
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
  if (code === "") return { value: "", refusal: "Write currency and sum, such as INR 1234.50." };
  const currency = code.toUpperCase();
  const { amount, refusal } = readAmount(rest, "");
  return { value: `${currency}=${amount}`, refusal };
}
