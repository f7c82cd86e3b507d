import type { StatusRecord } from "#payout/outcome.ts";

type State = StatusRecord["state"];

/**
 * `transaction_status` numbers (docs/gateway.md section 7; 0 and all others are not defined), and the words of
 * `status`: only `pending` is documented, the others are names of the numbers or of older samples. A map and no
 * object, because a gateway that writes `constructor` names no state.
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
]);

/** 2.0 is 2: some programs print every number with a fraction. */
const WITH_FRACTION = /^(\d)\.0+$/;

/**
 * The state that one or two status fields tell, each a number or a word as text. A number decides; whatever
 * stands beside it must not contradict, and an unknown value is a contradiction (F120).
 */
export function stateOf(...given: readonly (string | null | undefined)[]): State {
  const told = given
    .map((text) => (text ?? "").trim().toLowerCase())
    .filter((text) => text !== "" && text !== "null")
    .map((text) => STATES.get(WITH_FRACTION.exec(text)?.[1] ?? text) ?? "unclear");
  const [first = "unclear"] = told;
  return told.every((state) => state === first) ? first : "unclear";
}
