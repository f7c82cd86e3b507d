import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { checkUsers } from "#cli/operations/doctor-people.ts";
import { openTestLedger } from "../../support/ledger.ts";
import { signedIn } from "../../support/dashboard/server.ts";

test("lists look-alike users in doctor, and says whether roles require a second factor", async () => {
  const ledger = await openTestLedger();
  const world = { database: ledger.database, clock: systemClock };
  expect(await checkUsers(ledger)).toEqual([]);
  await signedIn(world, ["admin"], "Ada");
  expect(await checkUsers(ledger)).toMatchObject([
    { name: "second factor", state: "warning", advice: expect.stringContaining("Settings") },
  ]);
  await ledger.database.insertInto("second_factor_roles").values({ role: "admin" }).execute();
  await signedIn(world, ["viewer"], "\u0410da");
  const findings = await checkUsers(ledger);
  expect(findings).toMatchObject([
    { name: "second factor", state: "ok", found: "required for the roles admin" },
    { name: "users", state: "warning" },
  ]);
  expect(findings[1]?.found).toMatch(/^Ada \(.*\u0410da \(|^\u0410da \(.*Ada \(/);
  await ledger.close();
});
