import { err, ok, type Result } from "#base/result.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import { decimal } from "#reconciliation/day-figures.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/** The first business day that is closed, and its opening balance. */
export interface FirstDay {
  readonly lane: string;
  readonly day: string;
  /** Null: that of the statement of the day. */
  readonly entered: { readonly amount: ExactAmount; readonly reason: string } | null;
  /** Null: the zone of the lane's statements. */
  readonly zone: string | null;
  readonly actor: string;
}

type OpenRefusal = { readonly code: "wrong_state"; readonly detail: string };

const refused = (detail: string): Result<never, OpenRefusal> =>
  err({ code: "wrong_state", detail });

/**
 * Stores the balance with which the days of a lane start, from a statement or as a person enters
 * it. It never changes: an adjustment corrects it.
 */
export async function openDays(
  { lane, day, entered, zone, actor }: FirstDay,
  { ledger, clock }: StatementDeps,
): Promise<Result<true, OpenRefusal>> {
  return ledger.transaction(async ({ reconciliation, integrity }) => {
    const statement = await reconciliation.findStatement(lane, day);
    const listed = entered === null ? statement : null;
    const amount =
      entered?.amount ??
      (listed?.balances && { minor: listed.balances.opening, minorDigits: listed.minorDigits });
    if (!amount) return refused("The day has no statement with balances. Enter the balance.");
    const mapping = await reconciliation.findStatementMapping(lane);
    const known = statement?.zone ?? mapping?.zone ?? null;
    if (zone !== null && known !== null && zone !== known) {
      return refused(`The statements of the lane are for days in ${known}.`);
    }
    const opening = {
      lane,
      day,
      zone: known ?? zone ?? "UTC",
      amount,
      statementId: listed?.id ?? null,
      reason: entered?.reason ?? "",
      actor,
    };
    if (!(await reconciliation.insertOpeningBalance(opening))) {
      return refused("The lane already has an opening balance. Correct it with an adjustment.");
    }
    const facts = {
      lane,
      day,
      zone: opening.zone,
      balance: decimal(amount),
      ...(listed ? { statement: listed.id } : { reason: opening.reason }),
    };
    const at = new Date(clock.nowMs());
    await integrity.appendAudit(at, { actor, action: "open_days", object: lane, facts });
    return ok(true);
  });
}
