import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Which steps of setting up payrun are done. */
export interface Setup {
  readonly invite_approver: boolean;
  readonly add_channel: boolean;
  /** The asking user has a second factor. */
  readonly set_second_factor: boolean;
  readonly upload: boolean;
  readonly approve: boolean;
}

/** Returns the completed steps of setting up payrun, as one user sees them. */
export async function findSetup(database: Database, userId: string | null): Promise<Setup> {
  const { rows } = await sql<Setup>`
    select
      exists (
        select from users
        where disabled_at is null
          and 'approver' = any (roles)
          and id is distinct from ${userId}
      ) as invite_approver,
      exists (select from channels where ended_at is null and user_id is null) as add_channel,
      exists (select from users where id = ${userId} and totp is not null) as set_second_factor,
      exists (select from batches) as upload,
      exists (select from batches where approved_at is not null) as approve`.execute(database);
  const [setup] = rows;
  if (!setup) throw new Error("no row");
  return setup;
}
