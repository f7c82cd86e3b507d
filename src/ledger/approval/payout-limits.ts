import { sql } from "kysely";
import type { PayoutLimit } from "#approval/payout-limits.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { readSettings, writeSettings } from "#ledger/store/settings.ts";

/** Payout limits, and the action if the balance of a lane does not cover a batch. */
export interface LimitTerms {
  /** IANA time zone that defines the start of a day. */
  readonly zone: string;
  /** `refuse`: no batch is approved whose payouts are not known to be covered. */
  readonly when_short: "warn" | "refuse";
  readonly limits: readonly PayoutLimit[];
}

const ZONE = "limit zone";
const WHEN_SHORT = "limit when short";

/** Returns the payout limits, their time zone and the rule for insufficient balance. */
export async function readPayoutLimits(database: Database): Promise<LimitTerms> {
  const set = await readSettings(database, ZONE, WHEN_SHORT);
  const limits = await database
    .selectFrom("payout_limits")
    .select(["scope", "currency", "amount", "hard"])
    .orderBy("currency")
    .orderBy("scope")
    .orderBy("hard")
    .execute();
  return {
    zone: set.get(ZONE) ?? "UTC",
    when_short: set.get(WHEN_SHORT) === "refuse" ? "refuse" : "warn",
    limits,
  };
}

/**
 * Replaces all payout limits. Waiting batches are checked against the new ones when they are
 * approved.
 */
export async function writePayoutLimits(
  transaction: Database,
  next: LimitTerms,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<void> {
  const before = await readPayoutLimits(transaction);
  // Refuses a zone that this PostgreSQL server does not know now, instead of at the next approval.
  await sql`select now() at time zone ${next.zone}`.execute(transaction);
  await transaction.deleteFrom("payout_limits").execute();
  const { limits, zone, when_short } = next;
  if (limits.length > 0) {
    await transaction
      .insertInto("payout_limits")
      .values(
        limits.map(({ scope, currency, amount, hard }) => ({ scope, currency, amount, hard })),
      )
      .execute();
  }
  await writeSettings(transaction, { [ZONE]: zone, [WHEN_SHORT]: when_short });
  const after = { zone, when_short, limits };
  const facts = { before, after };
  const line: AuditLine = { actor, action: "payout_limits", object: "payout_limits", facts };
  await appendAudit(transaction, at, line);
}
