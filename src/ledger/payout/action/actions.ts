import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import type { BulkAction, BulkState, LeftReason } from "#payout/action/payout-action.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** Number of payouts, and their sum by currency. */
export interface PayoutShare {
  readonly count: number;
  readonly totals: readonly { readonly count: number; readonly sum: Money }[];
}

/** Number of payouts that an action leaves as they are, for one reason. */
export interface LeftPayouts {
  readonly reason: LeftReason;
  readonly count: number;
}

/** Number of payouts that a user is assigned to. */
export interface AssigneeCount {
  /** The ID of a user. Null: nobody. */
  readonly user: string | null;
  readonly count: number;
}

/** An action on many payouts, from its preview on. */
export interface PayoutAction {
  readonly id: string;
  readonly action: BulkAction;
  readonly state: BulkState;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly selected: number;
  readonly qualifying: PayoutShare;
  readonly excluded: readonly LeftPayouts[];
  /** The qualifying payouts by assignee. Null: the action is no assignment. */
  readonly assignees: readonly AssigneeCount[] | null;
  /** The ID of the user to whom an applied action has assigned payouts. Null: nobody. */
  readonly assignedTo: string | null;
  readonly reason: string | null;
  readonly appliedAt: Date | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** Reason of a rejection. */
  readonly decision: string | null;
  /** Null: not applied. */
  readonly changed: PayoutShare | null;
  readonly left: readonly LeftPayouts[] | null;
  /** SHA-256 of the list of changed payouts: see docs/decisions/0133. */
  readonly digest: string | null;
}

/** Number and sum of payouts in one currency for one reason. Null: they qualify or changed. */
export interface CountedPayouts {
  readonly reason: LeftReason | null;
  readonly currency: string;
  readonly minor_digits: number;
  readonly count: number;
  readonly amount_minor: string;
}

type StoredShare = readonly Omit<CountedPayouts, "reason">[];

/** Returns the parts of counted payouts as JSON columns. */
export const storedParts = (rows: readonly CountedPayouts[]) => ({
  share: JSON.stringify(
    rows.filter(({ reason }) => reason === null).map(({ reason: _reason, ...total }) => total),
  ),
  left: JSON.stringify(leftOf(rows)),
});

function leftOf(rows: readonly CountedPayouts[]): LeftPayouts[] {
  const counts = new Map<LeftReason, number>();
  for (const { reason, count } of rows) {
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

const shareOf = (stored: StoredShare): PayoutShare => ({
  count: stored.reduce((sum, { count }) => sum + count, 0),
  totals: stored.map((total) => ({ count: total.count, sum: moneyOf(total) })),
});

interface Row extends Omit<PayoutAction, "qualifying" | "changed"> {
  readonly qualifying: StoredShare;
  readonly changed: StoredShare | null;
}

const actionOf = ({ qualifying, changed, ...row }: Row): PayoutAction => ({
  ...row,
  qualifying: shareOf(qualifying),
  changed: changed && shareOf(changed),
});

const COLUMNS = sql`id, action, state, created_by as "createdBy", created_at as "createdAt",
  expires_at as "expiresAt", selected, qualifying, excluded, assignees, assigned_to as "assignedTo", reason, applied_at as "appliedAt",
  decided_by as "decidedBy", decided_at as "decidedAt", decision, changed, left_out as left, digest`;

/** Returns an action. Null: there is none with this ID. */
export async function findAction(database: Database, id: string): Promise<PayoutAction | null> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from payout_actions where id = ${id}`.execute(database);
  return rows[0] ? actionOf(rows[0]) : null;
}

/** @throws Error if there is no action with this ID. */
export async function getAction(database: Database, id: string): Promise<PayoutAction> {
  const action = await findAction(database, id);
  if (!action) throw new Error(`there is no action ${id}`);
  return action;
}

/** Returns an action and locks it. Others who apply or decide it wait. */
export async function lockAction(transaction: Database, id: string): Promise<PayoutAction | null> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from payout_actions where id = ${id} for update`.execute(transaction);
  return rows[0] ? actionOf(rows[0]) : null;
}

/** Returns the actions in a state, oldest first. */
export async function listActions(
  database: Database,
  page: { readonly state: BulkState; readonly after: string | null; readonly limit: number },
): Promise<PayoutAction[]> {
  const { state, after, limit } = page;
  const { rows } = await sql<Row>`
    select ${COLUMNS} from payout_actions
    where state = ${state}
      and (${after}::text is null or (created_at, id) > (
        select created_at, id from payout_actions where id = ${after}))
    order by created_at, id limit ${limit}`.execute(database);
  return rows.map(actionOf);
}

/** A selected payout of an action. */
export interface ActionPayout {
  readonly payoutId: number;
  readonly code: string;
  readonly batchId: string;
  readonly line: number;
  readonly money: Money;
  readonly stateBefore: PayoutState;
  readonly state: PayoutState;
  readonly evidence: string | null;
  /**
   * `qualifies`: the action is not applied yet. Otherwise `changed`, or why the payout was left.
   */
  readonly outcome: "qualifies" | "changed" | LeftReason;
  readonly isLeft: boolean;
}

/** Returns the selected payouts of an action after this ID, in the order of their IDs. */
export async function listActionPayouts(
  database: Database,
  page: {
    readonly id: string;
    readonly after: number;
    readonly limit: number;
    readonly isLeft?: boolean | undefined;
  },
): Promise<ActionPayout[]> {
  const { id, after, limit, isLeft } = page;
  const { rows } = await sql<
    Omit<ActionPayout, "money" | "isLeft" | "outcome"> & {
      currency: string;
      amount_minor: string;
      minor_digits: number;
      excluded: LeftReason | null;
      outcome: "changed" | LeftReason | null;
    }
  >`
    select r.payout_id as "payoutId", d.transaction_code as code, p.batch_id as "batchId", p.line,
      p.currency, p.amount_minor, p.minor_digits, r.state as "stateBefore", p.state, r.evidence,
      r.excluded, o.outcome
    from payout_action_rows r
      join payouts p on p.id = r.payout_id
      join payout_details d on d.payout_id = r.payout_id
      left join payout_action_outcomes o on o.action_id = r.action_id and o.payout_id = r.payout_id
    where r.action_id = ${id} and r.payout_id > ${after}
      and (${isLeft ?? null}::boolean is null
        or ${isLeft ?? null}::boolean = (coalesce(r.excluded, nullif(o.outcome, 'changed')) is not null))
    order by r.payout_id limit ${limit}`.execute(database);
  return rows.map(({ currency, amount_minor, minor_digits, excluded, outcome, ...row }) => {
    const result = excluded ?? outcome ?? "qualifies";
    return {
      ...row,
      money: moneyOf({ currency, amount_minor, minor_digits }),
      outcome: result,
      isLeft: result !== "qualifies" && result !== "changed",
    };
  });
}
