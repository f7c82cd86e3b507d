import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type PlantedPerson, textsOf } from "./people.ts";

/** An encrypted text of a planted person, as it was stored before the erasure. */
export interface SealedText {
  readonly person: PlantedPerson;
  /** Table and column. */
  readonly column: string;
  readonly sealed: Buffer;
  /** Bound to the text: nobody opens it with another place. */
  readonly place: string;
}

/** Every column with encrypted data of people, and the place that its texts are bound to. */
// biome-ignore format: one line for each column
const COLUMNS: Readonly<Record<string, string>> = {
  "payout_details.sealed": "'payout_details ' || transaction_code",
  "rejected_rows.sealed": "'rejected_rows ' || batch_id || ' ' || line",
  "warned_rows.sealed": "'warned_rows ' || batch_id || ' ' || line",
  "corrected_rows.sealed": "'rejected_rows ' || batch_id || ' ' || line",
  "left_out_rows.sealed": "'rejected_rows ' || batch_id || ' ' || line",
  "comments.sealed": "'comments ' || id",
  "deposits.sealed": "'deposits sealed ' || transaction_code",
  "deposits.payment_details": "'deposits told ' || transaction_code",
  "deposits.depositor": "'deposits depositor ' || transaction_code",
  "idempotency.answer": "'idempotency ' || person || ' ' || key",
};

/** Columns of bytes that hold digests, keys or secrets, but no data of people. */
const OTHER_COLUMNS =
  /digest|hash|secret|^key_tree\.sealed$|^throttles\.key$|^second_factor|^recovery_codes|totp|\.leaf$|^users\./;

/** Returns the columns of bytes that this proof does not know. */
export async function unknownColumns(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'payrun' and data_type = 'bytea'`.execute(database);
  return rows
    .map(({ name }) => name)
    .filter((name) => !(name in COLUMNS) && !OTHER_COLUMNS.test(name));
}

/** Opens every encrypted text, and returns those that contain a text of a planted person. */
export async function collectSealedTexts(
  database: Database,
  sealer: Sealer,
  people: readonly PlantedPerson[],
): Promise<SealedText[]> {
  const found: SealedText[] = [];
  const add = (column: string, sealed: Buffer, place: string) => {
    const text = sealer.open(sealed, place);
    const person = people.find((each) => textsOf(each).some((part) => text.includes(part)));
    if (person) found.push({ person, column, sealed, place });
  };
  for (const [column, place] of Object.entries(COLUMNS)) {
    const [table = "", name = ""] = column.split(".");
    const { rows } = await sql<{ sealed: Buffer; place: string }>`
      select ${sql.id(name)} as sealed, ${sql.raw(place)} as place from ${sql.id("payrun", table)}
      where length(${sql.id(name)}) > 1`.execute(database);
    for (const row of rows) add(column, row.sealed, row.place);
  }
  const { rows: views } = await sql<{ text: string }>`
    select filters ->> 'text' as text from payrun.saved_views where filters ? 'text'`.execute(
    database,
  );
  for (const { text } of views) {
    add("saved_views.filters", Buffer.from(text, "base64url"), "saved_views text");
  }
  return found;
}
