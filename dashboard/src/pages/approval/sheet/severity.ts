import type { Tone } from "../../../base/state.ts";

/**
 * The checks whose findings may be a second payment or a wrong account, so that the approver must
 * decide. Other findings are to be checked, or are only for information.
 */
const DECISIVE: ReadonlySet<string> = new Set([
  "paid_lately",
  "twice_here",
  "being_retried",
  "in_approved_batch",
  "one_digit_off",
  "other_account",
]);

/** How much a finding asks of the approver. */
export type Severity = "decide" | "check" | "info";

/** The severity of what a check found. `attention`: the check is not a common one. */
export const severityOf = (check: string, attention: boolean): Severity => {
  if (DECISIVE.has(check)) return "decide";
  return attention ? "check" : "info";
};

/** All severities, worst first. */
const SEVERITIES: readonly Severity[] = ["decide", "check", "info"];

/** Compares two severities, so that the worst comes first. */
export const worstFirst = (one: Severity, other: Severity): number =>
  SEVERITIES.indexOf(one) - SEVERITIES.indexOf(other);

/** Red only where the approver must decide. */
export const SEVERITY_TONE: Readonly<Record<Severity, Tone>> = {
  decide: "declined",
  check: "awaiting",
  info: "draft",
};
