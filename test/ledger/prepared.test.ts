import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#clock.ts";
import { openForSending } from "#ledger/database.ts";
import { createLedger } from "#ledger/ledger.ts";
import { approvedBatch, claimOf, laneIn, openTestLedger, TEST_SEALER } from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";

const KEPT = sql<{ generic: number; custom: number }>`
  select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements order by name`;

test("a claim and its outcome are parsed and planned once a connection, whatever batch they are of", async () => {
  const open = await openTestLedger();
  const sending = openForSending(open.url, 1);
  onTestFinished(async () => {
    await sending.destroy();
    await open.close();
  });
  const ledger = createLedger(open.database, TEST_SEALER, systemClock, { sending });
  const sendAll = async (rows: number) => {
    const { id } = await approvedBatch(open.ledger, rowsOf(rows));
    const claim = { ...claimOf(id, laneIn("INR")), sizeMax: rows };
    const attempts = await ledger.openAttempts(claim);
    const made = attempts.map(({ payoutId, seq }) =>
      ledger.move({
        payoutId,
        seq,
        from: "submitting",
        event: "accept",
        reason: null,
        dueInMs: 0,
        actor: "test",
        evidence: null,
      }),
    );
    return (await Promise.all(made)).filter(Boolean).length;
  };

  expect(await sendAll(3)).toBe(3);
  const { rows: first } = await KEPT.execute(sending);
  expect(await sendAll(40)).toBe(40);
  expect(await sendAll(5)).toBe(5);
  const { rows: last } = await KEPT.execute(sending);

  // Once more for the claim that knows the last attempt of this ledger.
  expect(last.length - first.length).toBeLessThanOrEqual(1);
  expect(last.length).toBeLessThanOrEqual(6);
  expect(last.reduce((sum, { custom }) => sum + custom, 0)).toBe(0);
  expect(last.reduce((sum, { generic }) => sum + generic, 0)).toBeGreaterThanOrEqual(6);
});
