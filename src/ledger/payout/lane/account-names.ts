import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { laneName } from "#payout/lane/lane.ts";
import { err, ok, type Result } from "#base/result.ts";

/** A merchant account that has had payouts, with its display name. */
export interface MerchantAccount {
  readonly merchantCode: string;
  readonly lanes: readonly string[];
  /** Null: no display name is set. */
  readonly name: string | null;
  readonly setBy: string | null;
  readonly setAt: Date | null;
}

/** Returns the merchant accounts that have had payouts. */
export async function findMerchantAccounts(database: Database): Promise<MerchantAccount[]> {
  const { rows } = await sql<MerchantAccount>`
    select l.code as "merchantCode", l.lanes, a.name, a.set_by as "setBy", a.set_at as "setAt"
    from (select left(lane, -length(currency) - 1) as code, array_agg(distinct lane order by lane) as lanes
        from batch_lanes group by 1) l
      left join merchant_accounts a on a.merchant_code = l.code
    order by l.code`.execute(database);
  return rows;
}

/** Returns the display names of merchant accounts by their codes. */
export async function findAccountNames(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom("merchant_accounts")
    .select(["merchant_code", "name"])
    .execute();
  return new Map(rows.map(({ merchant_code: code, name }) => [code, name]));
}

/** Returns the display name of each lane: the currency and the name of its merchant account. */
export async function findLaneNames(database: Database): Promise<(lane: string) => string> {
  const names = await findAccountNames(database);
  return (lane) => laneName(lane, names);
}

/** A new display name of a merchant account. */
export interface AccountNameOrder {
  readonly merchantCode: string;
  /** Null: removes the name. */
  readonly name: string | null;
  /** Whether the account may have had no payouts yet. By default, such an account is unknown. */
  readonly mayBeNew?: boolean;
  readonly actor: string;
  readonly at: Date;
}

/** Sets or removes the display name of a merchant account. No two accounts have the same name. */
export async function nameAccount(
  transaction: Database,
  { merchantCode, name, mayBeNew = false, actor, at }: AccountNameOrder,
): Promise<Result<true, "unknown_account" | "name_taken">> {
  const accounts = await findMerchantAccounts(transaction);
  const account = accounts.find((each) => each.merchantCode === merchantCode);
  if (!account && !mayBeNew) return err("unknown_account");
  const names = await findAccountNames(transaction);
  const others = [
    ...accounts.map((each) => [each.merchantCode, each.merchantCode] as const),
    ...names,
  ].filter(([code]) => code !== merchantCode);
  if (others.some(([, taken]) => taken === name)) return err("name_taken");
  await (name === null
    ? transaction
        .deleteFrom("merchant_accounts")
        .where("merchant_code", "=", merchantCode)
        .execute()
    : sql`
        insert into merchant_accounts (merchant_code, name, set_by, set_at)
        values (${merchantCode}, ${name}, ${actor}, ${at})
        on conflict (merchant_code) do update
        set name = excluded.name, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
        transaction,
      ));
  const facts = { before: names.get(merchantCode) ?? null, after: name };
  await appendAudit(transaction, at, {
    actor,
    action: "name_account",
    object: merchantCode,
    facts,
  });
  return ok(true);
}
