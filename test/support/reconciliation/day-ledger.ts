import { sql } from "kysely";
import { closeDay } from "#flows/reconciliation/close-day.ts";
import { openDays } from "#flows/reconciliation/open-days.ts";
import { decideOnDay, proposeOnDay } from "#flows/reconciliation/work-days.ts";
import { type DayClose, findDayCloses } from "#ledger/reconciliation/day-closes.ts";
import { findDayProposals } from "#ledger/reconciliation/day-proposals.ts";
import type { Database } from "#ledger/store/database.ts";
import type { CloseDocument } from "#reconciliation/day-close.ts";
import { LANE, ReconciledLedger } from "./reconciled-ledger.ts";

/** An amount of INR in minor units. */
const inr = (minor: number | bigint) => ({ minor: BigInt(minor), minorDigits: 2 });

/**
 * A ledger whose days are closed. Payouts move through the triggers, at times that a test chooses.
 */
export class DayLedger extends ReconciledLedger {
  lane = LANE;

  async openAt(day: string, minor = 100_000_000, zone = "UTC"): Promise<void> {
    const entered = { amount: inr(minor), reason: "balance of the bank" };
    const first = { lane: this.lane, day, entered, zone, actor: "cli:asha" };
    const opened = await openDays(first, this.deps());
    if (!opened.ok) throw new Error(opened.error.detail);
  }

  /** Closes a day. Returns its document, or why it was refused. */
  async close(day: string): Promise<CloseDocument | string> {
    const closed = await closeDay({ lane: this.lane, day }, "cli:asha", this.deps());
    return closed.ok ? closed.value : closed.error.refusal;
  }

  async closed(day: string): Promise<CloseDocument> {
    const closed = await this.close(day);
    if (typeof closed === "string") throw new Error(closed);
    return closed;
  }

  /** The versions of a day, newest first. */
  versions(day: string): Promise<DayClose[]> {
    return findDayCloses(this.database, this.lane, day);
  }

  /** Why the newest version of a day no longer counts; null if it counts. */
  async cause(day: string): Promise<string | null> {
    return (await this.versions(day))[0]?.reopening?.cause ?? null;
  }

  propose(day: string, minor: number | null, actor: string) {
    const amount = minor === null ? null : inr(minor);
    const asked = { lane: this.lane, day, amount, reason: "fee of the bank", actor };
    return proposeOnDay(asked, this.deps());
  }

  async decide(day: string, agree: boolean, actor: string) {
    const proposals = await findDayProposals(this.database, this.lane, day);
    const { id } = proposals.find(({ outcome }) => outcome === null) ?? { id: 0 };
    return decideOnDay({ id, agree, actor }, this.deps());
  }

  /** Adds a payout that the gateway has accepted. Returns its ID. */
  async addAccepted(minor: number, sentAt: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      select coalesce(max(id), 0)::int + 1 as id from payouts`.execute(this.database);
    const id = rows[0]?.id ?? 1;
    await this.change(
      `insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest,
         state, seq, attempts, first_sent_at, updated_at)
       overriding system value
       values (${id}, 'BOPEN', ${id}, '${this.lane}', 'INR', ${minor}, 2, '\\x00', 'accepted', 3, 1, '${sentAt}', '${sentAt}');
       insert into payout_details (payout_id, transaction_code, account_digest, amount_minor, minor_unit, mixed_scripts, sealed)
       values (${id}, 'PROPEN${id}', '\\x00', ${minor}, 0.01, false, '\\x00')`,
    );
    return id;
  }
}

/** Settles or returns a payout at a time, in a transaction with the triggers of the ledger. */
export async function movePayout(
  transaction: Database,
  {
    id,
    event,
    at,
  }: { readonly id: number; readonly event: "settle" | "return"; readonly at: string },
): Promise<void> {
  const state = event === "settle" ? "settled" : "returned";
  await sql`
    with moved as (
      update payouts set state = ${state}, seq = seq + 1, updated_at = ${at},
        settled_at = coalesce(settled_at, ${at}::timestamptz)
      where id = ${id} returning id, seq
    )
    insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
    select id, seq, ${event}, '-', ${state}, 'test', ${at}::timestamptz from moved`.execute(
    transaction,
  );
}
