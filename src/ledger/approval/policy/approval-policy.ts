import { sql } from "kysely";
import {
  type ApprovalPolicy,
  type CurrencySums,
  type PeopleNeeded,
  type People,
  peopleNeeded,
  whyPeopleNeeded,
} from "#approval/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { readSettings, writeSettings } from "#ledger/store/settings.ts";
import { moneyOf } from "#ledger/store/tables.ts";

/** Approval policy for batches uploaded from now on. */
export interface StoredApprovalPolicy extends ApprovalPolicy {
  /** True if nobody has set the base. It then depends on whether the ledger has users. */
  readonly baseIsDefault: boolean;
  /** Number of hours for which an approval counts. */
  readonly hours: number;
}

const BASE = "approval people";
const HOURS = "approval hours";
const DEFAULT_HOURS = 24;

/**
 * Reads the approval policy. Until the ledger has its first admin, the operator of the command line
 * may pay alone.
 */
export async function readApprovalPolicy(database: Database): Promise<StoredApprovalPolicy> {
  // One after the other, because all queries inside a transaction share one connection.
  const set = await readSettings(database, BASE, HOURS);
  const rules = await database
    .selectFrom("approval_rules")
    .select(["currency", "measure", "above", "people"])
    .orderBy("place")
    .execute();
  const { rows: admins } = await sql`
    select from users where disabled_at is null and 'admin' = any (roles) limit 1`.execute(
    database,
  );
  const base = set.get(BASE);
  const defaultBase = admins.length > 0 ? 2 : 1;
  return {
    base: base === undefined ? defaultBase : (Number(base) as People),
    baseIsDefault: base === undefined,
    rules,
    hours: Number(set.get(HOURS) ?? DEFAULT_HOURS),
  };
}

/** Replaces the approval rules. Existing batches keep their recorded number of people. */
export async function writeApprovalPolicy(
  transaction: Database,
  next: Terms,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<void> {
  const before = await readApprovalPolicy(transaction);
  await transaction.deleteFrom("approval_rules").execute();
  if (next.rules.length > 0) {
    const rules = next.rules.map((rule, place) => ({ place, ...rule }));
    await transaction.insertInto("approval_rules").values(rules).execute();
  }
  await writeSettings(transaction, { [BASE]: `${next.base}`, [HOURS]: `${next.hours}` });
  const facts = { before: policyTermsOf(before), after: policyTermsOf(next) };
  await appendAudit(transaction, at, {
    actor,
    action: "approval_rules",
    object: "approval_rules",
    facts,
  });
}

type Terms = ApprovalPolicy & Pick<StoredApprovalPolicy, "hours">;
/** Returns only the rules, in the form in which they can be set again. */
export const policyTermsOf = ({ base, rules, hours }: Terms): Terms => ({ base, rules, hours });

/**
 * Records on the batch how many people the current rules require. Called when the rows of the batch
 * are stored or change. The number never falls, even if the rules have been loosened since.
 *
 * @returns the number of people that the batch requires now.
 */
export async function recordPeopleNeeded(transaction: Database, batchId: string): Promise<People> {
  const policy = await readApprovalPolicy(transaction);
  const sums = await sumsOf(transaction, [batchId]);
  const needed = peopleNeeded(policy, sums.get(batchId) ?? []);
  await transaction
    .updateTable("batches")
    .set({ people_needed: needed.people, people_reason: whyPeopleNeeded(needed) })
    .where("id", "=", batchId)
    .where("people_needed", "<=", needed.people)
    .execute();
  const batch = transaction.selectFrom("batches").select("people_needed").where("id", "=", batchId);
  return (await batch.executeTakeFirstOrThrow()).people_needed;
}

/**
 * Applies these rules to the latest batches, as a preview for an admin before the rules are
 * changed.
 */
export async function previewRules(
  database: Database,
  policy: ApprovalPolicy,
  count = 20,
): Promise<{ id: string; fileName: string; now: People; by: PeopleNeeded }[]> {
  const batches = await database
    .selectFrom("batches")
    .select(["id", "file_name", "people_needed"])
    .orderBy("created_at", "desc")
    .limit(count)
    .execute();
  const sums = await sumsOf(
    database,
    batches.map(({ id }) => id),
  );
  return batches.map((batch) => ({
    id: batch.id,
    fileName: batch.file_name,
    now: batch.people_needed,
    by: peopleNeeded(policy, sums.get(batch.id) ?? []),
  }));
}

async function sumsOf(
  database: Database,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, CurrencySums[]>> {
  const { rows } = await sql<{
    batch_id: string;
    currency: string;
    minor_digits: number;
    total: string;
    largest: string;
  }>`
    select batch_id, currency, minor_digits, sum(total_minor) as total, max(largest_minor) as largest
    from batch_lanes where batch_id = any(${[...batchIds]})
    group by batch_id, currency, minor_digits order by currency`.execute(database);
  const byBatch = Map.groupBy(rows, ({ batch_id }) => batch_id);
  return new Map(
    [...byBatch].map(([batchId, lanes]) => [
      batchId,
      lanes.map((sums) => ({
        total: moneyOf({ ...sums, amount_minor: sums.total }),
        largest: moneyOf({ ...sums, amount_minor: sums.largest }),
      })),
    ]),
  );
}
