import { expect, test } from "vitest";
import { checkApiKeys } from "#cli/operations/doctor-keys.ts";
import { systemClock } from "#base/clock.ts";
import { openTestLedger } from "../../support/ledger.ts";
import { signedIn, workingKey } from "../../support/dashboard/server.ts";

test("warns in doctor only about keys that have lost rights", async () => {
  const ledger = await openTestLedger();
  const world = { database: ledger.database, clock: systemClock };
  const { userId } = await signedIn(world, ["admin"], "Ada");
  await workingKey(world, ["read", "operate"], userId);
  await workingKey(world, ["read", "operate"]);
  await workingKey(world, ["audit"], userId);
  const findings = await checkApiKeys(ledger, new Date());
  expect(findings).toMatchObject([{ name: "API key", state: "warning" }]);
  expect(findings[0]?.found).toMatch(
    /the API key read operate \(pk_.*has lost permissions: operate\. Its creator, Ada/,
  );
  expect(await checkApiKeys(ledger, new Date(Date.now() + 2 * 86_400_000))).toEqual([]);
  await ledger.close();
});
