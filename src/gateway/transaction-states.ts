import { NULL_TEXT } from "#payout/rules/layout-limits.ts";
import type { StatusRecord } from "#payout/outcome.ts";

type State = StatusRecord["state"];

/**
 * The numbers of `transaction_status` (gateway.md section 7; 0 and all others are undefined),
 * and the words of `status`. Only `pending` is documented; the other words are names of the numbers
 * or come from older samples. A map instead of an object, because a gateway that writes
 * `constructor` names no state.
 */
const STATES: ReadonlyMap<string, State> = new Map([
  ["1", "pending"],
  ["2", "completed"],
  ["3", "failed"],
  ["4", "manual"],
  ["pending", "pending"],
  ["completed", "completed"],
  ["success", "completed"],
  ["failed", "failed"],
  ["manual", "manual"],
  ["manual process", "manual"],
  ["reversed", "reversed"],
  ["refunded", "reversed"],
  ["returned", "reversed"],
]);

const BACK: ReadonlySet<State> = new Set(["reversed", "failed"]);

/** 2.0 is 2: some programs print every number with a fraction. */
const WITH_FRACTION = /^(\d)\.0+$/;

/**
 * Returns the state given by one or two status fields, each a number or a word as text. A number
 * decides. The other field must not contradict it, and an unknown value is a contradiction (F120).
 * No number means `reversed`, so `failed` does not contradict that word.
 */
export function stateOf(...given: readonly (string | null | undefined)[]): State {
  const told = given
    .map((text) => (text ?? "").trim().toLowerCase())
    .filter((text) => text !== "" && text !== NULL_TEXT)
    .map((text) => STATES.get(WITH_FRACTION.exec(text)?.[1] ?? text) ?? "unclear");
  if (told.includes("reversed") && told.every((state) => BACK.has(state))) return "reversed";
  const [first = "unclear"] = told;
  return told.every((state) => state === first) ? first : "unclear";
}
