import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { CONNECTION_NAME_PATTERNS } from "#postgres/pool.ts";

/** A running payrun process, as its connections name it. */
export interface ConnectedProcess {
  /** Process id and a random part. */
  readonly name: string;
  /** Number of connections open now. */
  readonly open: number;
  /** Maximum number of connections that the process opens. */
  readonly need: number;
}

/** A number of connections that PostgreSQL does not exceed. */
export interface ConnectionLimit {
  readonly name: "server" | "database" | "role";
  readonly most: number;
  /** Connections open now under this limit, by programs other than payrun. */
  readonly others: number;
}

export interface ConnectionUse {
  readonly processes: readonly ConnectedProcess[];
  /** The limits that are set. The limit of the server excludes the connections that it reserves. */
  readonly limits: readonly ConnectionLimit[];
}

/**
 * Returns how many connections the running processes of this ledger may open, and how many the
 * server allows.
 */
export async function connectionUse(database: Database, own: string): Promise<ConnectionUse> {
  const processes = await sql<ConnectedProcess>`
    select substring(application_name from ${CONNECTION_NAME_PATTERNS.process}) as name, count(*)::int as open,
      max(substring(application_name from ${CONNECTION_NAME_PATTERNS.need})::int) as need
    from pg_stat_activity
    where datname = current_database() and application_name ~ ${CONNECTION_NAME_PATTERNS.process}
    group by 1 order by 1`.execute(database);
  // The role and the application name are visible to everybody; the kind of a process is not.
  const limits = await sql<ConnectionLimit>`
    with used as (
      select datname = current_database() as is_here, usename = current_user as is_ours,
        application_name ~ ${CONNECTION_NAME_PATTERNS.process} and datname = current_database() as is_payrun
      from pg_stat_activity where datname is not null
    )
    select 'server' as name,
      current_setting('max_connections')::int
        - coalesce(current_setting('superuser_reserved_connections', true)::int, 0)
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
      (select count(*)::int from used where not is_payrun) as others
    union all
    select 'database', datconnlimit, (select count(*)::int from used where is_here and not is_payrun)
    from pg_database where datname = current_database() and datconnlimit >= 0
    union all
    select 'role', rolconnlimit, (select count(*)::int from used where is_ours and not is_payrun)
    from pg_roles where rolname = current_user and rolconnlimit >= 0`.execute(database);
  return { processes: processes.rows.filter(({ name }) => name !== own), limits: limits.rows };
}
