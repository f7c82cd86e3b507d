import { sql } from "kysely";
import { type Database, SCHEMA } from "#ledger/store/database.ts";
import { QUEUE_SCHEMA } from "#postgres/pool.ts";

/**
 * Rights of the application's role in addition to reading, for each table of the ledger: those that
 * its statements need. The role never owns a table, so it cannot disable a trigger.
 * test/ledger/store/rights.test.ts compares this list with the statements in src/.
 */
// biome-ignore format: one line for each set of rights
const TABLES: Readonly<Record<string, string>> = {
  "": "archive_transactions delivery_attempts migrations payout_counts",
  insert: "archive_parts archives attempts audit batch_editors break_action_outcomes break_events comments corrected_rows corrections day_closes day_reopenings deposit_attempts deposit_evidence deposit_transitions events evidence notices opening_balances payout_action_outcomes payout_details payout_terms report_days report_fee_days report_totals retry_batches duplicates_allowed setup_ended single_payouts sole_approvals statement_lines statement_mappings stray_callbacks transitions",
  update: "audit_notified",
  "insert, update": "api_keys approvals assignments batch_findings batch_anomalies batches break_resolutions breaker_openings breaks canaries channels column_mappings comment_reads counted_days day_proposals deliveries deposit_resolutions deposits descendants duplicate_checks epoch erasures inbox key_tree lane_balances lane_completions lanes links lost_batches occurrence_decisions payout_resolutions payouts pending_changes quarantine schedules sessions settings statements unknown_answers users wait_endings",
  "insert, delete": "approval_rules break_action_rows changed_fees closing_days left_out_rows payout_action_rows payout_limits rejected_rows report_fees retention_hold retention_rules row_findings second_factor_roles unpublished_events warned_rows",
  "insert, update, delete": "batch_lanes break_actions daily_results idempotency lane_health lane_rate_limits lane_pauses lane_processing merchant_accounts occurrences payout_actions queue_samples raised_alarms recovery_codes saved_views send_times throttles throughput_samples workers",
};

/**
 * Functions that write with the rights of the owner. Only the application's role calls them, itself
 * or by its changes of payouts and deliveries.
 */
const FUNCTIONS = [
  "remove_payouts(bigint[])",
  "erase_data(bigint, bigint[], bigint[], text[], integer[])",
  "erase_comments(bigint, text[])",
  "clear_terms()",
  "count_payouts_added()",
  "count_payouts_removed()",
  "count_payouts_changed()",
  "merge_payout_counts(text)",
  "keep_delivery_attempt()",
  "delete_expired(text, integer, boolean)",
  "detach_archive_part(text, integer, bytea)",
  "restore_archive_part(text, integer, text)",
];

/** Rights by table, sorted. */
export const RIGHTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TABLES).flatMap(([rights, tables]) =>
    tables.split(" ").map((table) => [table, ["select", ...rights.split(", ")].filter(Boolean)]),
  ),
);

const PRIVILEGES = ["select", "insert", "update", "delete", "truncate", "references", "trigger"];

/** A PostgreSQL role and its rights on the ledger. */
export interface LedgerRole {
  readonly name: string;
  /**
   * Powers with which the role could change the ledger without its triggers; empty if it cannot.
   */
  readonly powers: readonly string[];
  /** True if the role may run migrations. */
  readonly mayMigrate: boolean;
  /** Rights that payrun needs and this role lacks. */
  readonly lacks: readonly string[];
  /** Rights on the ledger that the role has and payrun does not need. */
  readonly exceeds: readonly string[];
}

/** Returns the role of this connection. */
export async function ledgerRole(database: Database): Promise<LedgerRole> {
  const { rows } = await sql<{ name: string; powers: string[]; mayMigrate: boolean }>`
    with own as (
      select s.oid, s.nspowner as owner from pg_namespace s where s.nspname = ${SCHEMA}
    ), owners as (
      select owner from own
      union select c.relowner from pg_class c join own on own.oid = c.relnamespace
      union select p.proowner from pg_proc p join own on own.oid = p.pronamespace
    )
    select current_user as name, array(
      select case
          when r.rolname = current_user and r.rolsuper then 'it is a superuser'
          when r.rolsuper then 'it is a member of the superuser ' || r.rolname
          when r.oid in (select owner from owners) and r.rolname = current_user then 'it owns the ledger'
          when r.oid in (select owner from owners) then 'it is a member of the ledger''s owner ' || r.rolname
          when r.rolcreaterole then 'it may create roles'
          else 'it is a member of ' || r.rolname
        end
      from pg_roles r
      where case when (select rolsuper from pg_roles where rolname = current_user) then r.rolname = current_user
        else pg_has_role(current_user, r.oid, 'member') and (r.rolsuper or r.rolcreaterole or r.oid in (select owner from owners)
          or r.rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')) end
      union all
      select 'it may create objects in the schema ' || ${SCHEMA}::text from own
      where has_schema_privilege(own.oid, 'create') and not pg_has_role(current_user, own.owner, 'member')
      order by 1) as powers,
      coalesce((select has_schema_privilege(own.oid, 'create') from own),
        has_database_privilege(current_database(), 'create')) as "mayMigrate"`.execute(database);
  const [role] = rows;
  if (!role) throw new Error("the database returned no rows");
  return { ...role, ...(await rightsOf(database)) };
}

async function rightsOf(database: Database): Promise<Pick<LedgerRole, "lacks" | "exceeds">> {
  const { rows } = await sql<{ name: string; isTable: boolean; has: string[] }>`
    select c.relname as name, c.relkind in ('r', 'p') as "isTable", array(
      select p from unnest(${PRIVILEGES}::text[]) p where has_table_privilege(c.oid, p)) as has
    from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = ${SCHEMA} and c.relkind in ('r', 'p', 'v') order by 1`.execute(database);
  const lacks: string[] = [];
  const exceeds: string[] = [];
  for (const { name, isTable, has } of rows) {
    const needs = (isTable ? RIGHTS.get(name) : undefined) ?? ["select"];
    lacks.push(
      ...needs.filter((right) => !has.includes(right)).map((right) => `${right} on ${name}`),
    );
    exceeds.push(
      ...has.filter((right) => !needs.includes(right)).map((right) => `${right} on ${name}`),
    );
  }
  const functions = await sql<{ name: string; may: boolean }>`
    select p.proname as name, has_function_privilege(p.oid, 'execute') as may
    from pg_proc p join pg_namespace s on s.oid = p.pronamespace
    where s.nspname = ${SCHEMA} and p.prosecdef order by 1`.execute(database);
  lacks.push(...functions.rows.filter(({ may }) => !may).map(({ name }) => `execute ${name}`));
  const queue = await sql<{ isReady: boolean }>`
    select coalesce((select has_schema_privilege(s.oid, 'create') and not exists (select from pg_class c
        where c.relnamespace = s.oid and not pg_has_role(current_user, c.relowner, 'member'))
      from pg_namespace s where s.nspname = ${QUEUE_SCHEMA}),
      has_database_privilege(current_database(), 'create')) as "isReady"`.execute(database);
  const isReady = queue.rows[0]?.isReady;
  return { lacks: isReady ? lacks : [...lacks, `create in ${QUEUE_SCHEMA}`], exceeds };
}

/**
 * Grants the application's role its rights on the ledger, and revokes all others. Tables of the
 * queue that another role created are dropped, because the queue is refilled from the ledger.
 *
 * @param owner a transaction of the role that owns the ledger.
 */
export async function grantRights(owner: Database, role: string): Promise<void> {
  const [ledger, queue, name] = [sql.id(SCHEMA), sql.id(QUEUE_SCHEMA), sql.id(role)];
  for (const things of ["tables", "sequences"].map((word) => sql.raw(word))) {
    await sql`revoke all on all ${things} in schema ${ledger} from public, ${name}`.execute(owner);
  }
  await sql`revoke all on schema ${ledger} from public, ${name}`.execute(owner);
  await sql`grant usage on schema ${ledger} to ${name}`.execute(owner);
  await sql`grant select on all tables in schema ${ledger} to ${name}`.execute(owner);
  // pg_dump reads the sequences.
  await sql`grant usage, select on all sequences in schema ${ledger} to ${name}`.execute(owner);
  for (const [rights, tables] of Object.entries(TABLES)) {
    if (rights === "") continue;
    const names = sql.join(tables.split(" ").map((table) => sql.id(SCHEMA, table)));
    await sql`grant ${sql.raw(rights)} on ${names} to ${name}`.execute(owner);
  }
  for (const signature of FUNCTIONS) {
    const called = sql.raw(`function ${SCHEMA}.${signature}`);
    await sql`revoke all on ${called} from public`.execute(owner);
    await sql`grant execute on ${called} to ${name}`.execute(owner);
  }
  const strange = await sql`
    select from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = ${QUEUE_SCHEMA} and c.relowner <> (select oid from pg_roles where rolname = ${role})`.execute(
    owner,
  );
  if (strange.rows.length > 0) await sql`drop schema ${queue} cascade`.execute(owner);
  const there = await sql`select from pg_namespace where nspname = ${QUEUE_SCHEMA}`.execute(owner);
  if (there.rows.length === 0) await sql`create schema ${queue}`.execute(owner);
  const may = await sql<{ may: boolean }>`
    select has_schema_privilege(${role}, ${QUEUE_SCHEMA}, 'create') as may`.execute(owner);
  if (!may.rows[0]?.may) await sql`grant all on schema ${queue} to ${name}`.execute(owner);
}
