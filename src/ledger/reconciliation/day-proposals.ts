import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/** A change of a day that two people agree on. */
export interface DayProposal {
  readonly id: number;
  readonly lane: string;
  readonly day: string;
  /** The newest version of the day when it was proposed. 0: the day had none. */
  readonly version: number;
  readonly kind: "adjustment" | "reopening";
  /** Positive: more money in the account. Null for a reopening. */
  readonly amount: ExactAmount | null;
  readonly reason: string;
  readonly proposedBy: string;
  /** Null: it waits for a decision. "alone": payrun had no approvers. */
  readonly outcome: "agreed" | "refused" | "alone" | "replaced" | null;
  readonly decidedBy: string | null;
}

/** Stores a proposal in place of the one of its kind that waits. Returns its number. */
export async function insertDayProposal(
  transaction: Database,
  {
    lane,
    day,
    version,
    kind,
    amount,
    reason,
    proposedBy,
  }: Omit<DayProposal, "id" | "outcome" | "decidedBy">,
): Promise<number> {
  // The lock makes simultaneous proposals wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext(${`payrun proposals ${lane}`}))`.execute(
    transaction,
  );
  await sql`
    update day_proposals set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = now()
    where lane = ${lane} and day = ${day}::date and kind = ${kind} and outcome is null`.execute(
    transaction,
  );
  const { rows } = await sql<{ id: number }>`
    insert into day_proposals (lane, day, version, kind, amount_minor, minor_digits, reason, proposed_by)
    values (${lane}, ${day}::date, ${version}, ${kind}, ${amount && `${amount.minor}`}::numeric,
      ${amount && amount.minorDigits}, ${reason}, ${proposedBy})
    returning id`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the proposal was not inserted");
  return row.id;
}

/**
 * Decides about a proposal. Returns false if it no longer waits. The ledger reopens the day if the
 * proposal is agreed on, and refuses that after the day was closed again.
 *
 * @throws the refusal of the ledger: see runOrRefuse.
 */
export async function decideDayProposal(
  transaction: Database,
  {
    id,
    outcome,
    by,
  }: {
    readonly id: number;
    readonly outcome: "agreed" | "refused" | "alone";
    readonly by: string;
  },
): Promise<boolean> {
  const { rows } = await sql`
    update day_proposals set outcome = ${outcome}, decided_by = ${by}, decided_at = now()
    where id = ${id} and outcome is null returning id`.execute(transaction);
  return rows.length === 1;
}

interface ProposalRow extends Omit<DayProposal, "amount"> {
  readonly minor: string | null;
  readonly digits: number | null;
}

const SELECTED = sql`
    select id, lane, day::text as day, version, kind, amount_minor::text as minor, minor_digits as digits, reason,
      proposed_by as "proposedBy", outcome, decided_by as "decidedBy"
    from day_proposals`;

const proposalOf = ({ minor, digits, ...row }: ProposalRow): DayProposal => ({
  ...row,
  amount: minor === null || digits === null ? null : { minor: BigInt(minor), minorDigits: digits },
});

/** Returns a proposal. Null: there is none with this number. */
export async function findDayProposal(database: Database, id: number): Promise<DayProposal | null> {
  const { rows } = await sql<ProposalRow>`${SELECTED} where id = ${id}`.execute(database);
  return rows[0] ? proposalOf(rows[0]) : null;
}

/** Returns the proposals of a day that wait or were agreed on, oldest first. */
export async function findDayProposals(
  database: Database,
  lane: string,
  day: string,
): Promise<DayProposal[]> {
  const { rows } = await sql<ProposalRow>`
    ${SELECTED}
    where lane = ${lane} and day = ${day}::date and (outcome is null or outcome in ('agreed', 'alone'))
    order by id`.execute(database);
  return rows.map(proposalOf);
}
