import { type RawBuilder, sql } from "kysely";

/**
 * Returns the title of a batch, for an alias of `batches`: its name, or else its purpose, or else
 * its file name. batchName in dashboard/src/base/text.ts has the same rule, and describes the
 * source of a batch that was not uploaded as a file.
 */
export const batchTitle = (alias: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${alias}.name`)}, ${sql.ref(`${alias}.purpose`)}, ${sql.ref(`${alias}.file_name`)})`;
