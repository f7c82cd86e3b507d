import { type RawBuilder, sql } from "kysely";

/**
 * Returns the title of a batch, for an alias of `batches`: its name, or else its purpose, or else
 * its file name. The dashboard has the same rule (batchName in dashboard/src/base/text.ts).
 */
export const batchTitle = (alias: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${alias}.name`)}, ${sql.ref(`${alias}.purpose`)}, ${sql.ref(`${alias}.file_name`)})`;
