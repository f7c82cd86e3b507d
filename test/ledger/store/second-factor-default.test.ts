import { expect, test } from "vitest";
import { openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { readFactorRoles } from "#ledger/people/second-factor-policy.ts";
import { freshDatabase } from "../../support/ledger.ts";

test("requires a second factor of approvers and admins on a new installation", async () => {
  const database = openDatabase(await freshDatabase());
  await migrate(database);
  expect(await readFactorRoles(database)).toEqual(["approver", "admin"]);
  await database.destroy();
});
