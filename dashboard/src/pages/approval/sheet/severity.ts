import type { Tone } from "../../../base/state.ts";
import type { ApprovalSheet } from "../queries.ts";

/** How much a finding asks of the approver. */
export type Severity = "decide" | "check" | "info";

/** The checks whose findings the approver must acknowledge. */
export const decisiveChecks = ({ anomalies }: ApprovalSheet): ReadonlySet<string> =>
  new Set(anomalies?.to_acknowledge.map(({ finding }) => finding));

/** The severity of what a check found. `attention`: the check is not a common one. */
export const severityOf = (
  check: string,
  attention: boolean,
  decisive: ReadonlySet<string>,
): Severity => {
  if (decisive.has(check)) return "decide";
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
