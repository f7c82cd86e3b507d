/** Actions on several breaks: the effect is as previewed, or each difference has its reason. */
import { expect, it } from "vitest";
import { runBreakActions } from "#proof/break-actions/campaign.ts";
import { openTestLedger } from "../support/ledger.ts";
import { asTestOwner } from "../support/servers/postgres.ts";

it("changes exactly the previewed breaks that still qualify", { timeout: 120_000 }, async () => {
  const { url, database, ledger, close } = await openTestLedger();
  try {
    const store = { database, ledger, ownerUrl: asTestOwner(url) };
    const result = await runBreakActions({ runs: 100, seed: 7 }, store);
    expect(result.wrong).toEqual([]);
    expect(result.changed).toBeGreaterThan(50);
    expect(result.left["moved"]).toBeGreaterThan(0);
  } finally {
    await close();
  }
});
