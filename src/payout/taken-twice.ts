import type { Known } from "#payout/decide.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { type ReasonCode, reason } from "#payout/reasons.ts";

const CODES: ReadonlySet<string> = new Set<ReasonCode>(["two_records", "accepted_twice"]);

/** Whether a payout is on hold because the gateway may have paid it twice. */
export const isTakenTwice = (cause: string | null): boolean => cause !== null && CODES.has(cause);

/** The one trace that a double payment leaves; null: there is none. What people have closed with it stays closed. */
export function takenTwice(
  known: Pick<Known, "acceptedTimes" | "gatewayNumber" | "state">,
  record: StatusRecord,
): string | null {
  const { gatewayNumber: first, state } = known;
  const { gatewayNumber: number, numbers = [] } = record;
  const reasonOf = (): string | null => {
    if (numbers.length > 1) return reason("two_records", numbers.join(" and "));
    if (first !== null && number !== null && first !== number)
      return reason("two_records", `${first} and ${number}`);
    return known.acceptedTimes > 1 ? reason("accepted_twice") : null;
  };
  return state === "closed" ? null : reasonOf();
}
