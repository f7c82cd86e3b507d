import { expect, test } from "vitest";
import { openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { query } from "../../support/servers/postgres.ts";

const FIRST_NEW = "0077-amount-order.sql";

/** Stores a payout as the previous version does: with its details, in one statement. */
const stored = (id: number, currency: string, minor: number, digits: number): string => `
  with
  stored_payouts as (
    insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest)
    values (${id}, 'B1', ${id}, 'M/${currency}', '${currency}', ${minor}, ${digits}, '')
  )
  insert into payout_details (payout_id, transaction_code, account_digest, amount_minor, sealed)
  values (${id}, 'C${id}', '', ${minor}, '')`;

test("sorts the payouts of older versions by amount, and refuses older code that stores more", async () => {
  const url = await olderLedger(FIRST_NEW);
  await query(
    url,
    `insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker)
      values ('B1', 'd', 'c', 'x.csv', 'draft', 4, 0, '{}', 1, 4, 'cli:root')`,
  );
  await query(url, stored(1, "INR", 1050, 2));
  await query(url, stored(2, "JPY", 700, 0));
  await query(url, stored(3, "INR", 5, 2));
  await query(url, stored(4, "KWD", 12_345, 3));
  const database = openDatabase(url, 1);
  expect(await migrate(database)).toContain(FIRST_NEW);
  await database.destroy();
  const amounts = `select payout_id::int as id, amount_minor * minor_unit as amount
    from payout_details order by 2`;
  expect(await query(url, amounts)).toEqual([
    { id: 3, amount: "0.05" },
    { id: 1, amount: "10.50" },
    { id: 4, amount: "12.345" },
    { id: 2, amount: "700" },
  ]);
  await expect(query(url, stored(5, "INR", 1, 2))).rejects.toThrow("minor_unit");
  for (const change of ["minor_unit = 1", "sealed = 'x'"])
    await expect(query(url, `update payout_details set ${change}`)).rejects.toThrow(
      "the table payout_details is append-only",
    );
});
