import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOverview } from "#views/operations/overview.ts";
import { payoutView } from "#views/payout/payout.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { laneName } from "#payout/lane/lane.ts";
import { approvedBatch, claimOf, laneIn } from "../../support/ledger.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
let code: string;
let taken: { readonly payoutId: number; readonly seq: number };
beforeAll(async () => {
  server = await startTestServer();
  await query(server.deps.databaseUrl, "insert into settings values ('approval people', '1')");
  const { ledger } = server.deps;
  const { id } = await approvedBatch(ledger, rowsOf(1));
  await ledger.integrity.verify();
  const [attempt] = await ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }));
  if (!attempt) throw new Error("nothing claimed");
  code = attempt.order.transactionCode;
  await ledger.payout.move(moveOf(attempt));
  taken = { payoutId: attempt.payoutId, seq: attempt.seq + 1 };
});
afterAll(() => server.close());

const asked = (queryCount: number, silent: boolean) =>
  server.deps.ledger.payout.move(
    moveOf(taken, {
      from: "accepted",
      event: null,
      queryCount,
      silent,
      dueInMs: 60_000,
      evidence: null,
    }),
  );
/** As of now: a page may be a moment old. */
const seen = async () => {
  const [{ silent_since: since, outlook }, { alarms }] = await Promise.all([
    payoutView(code, server.deps),
    operationsOverview(server.deps),
  ]);
  const alarm = alarms.find((each) => each.code === "no_status_answers") ?? null;
  return { since, moved: outlook.moved, alarm };
};

test("F57 reports only proven facts about a payout that the gateway no longer answers for, and alerts people", async () => {
  const well = { since: null, moved: "not_yet", alarm: null };
  expect(await seen()).toEqual(well);

  expect(await asked(0, true)).toBe(true);
  expect(await seen()).toEqual({ since: expect.any(String), moved: "maybe", alarm: null });
  await query(
    server.deps.databaseUrl,
    "update payouts set silent_since = now() - interval '45 minutes'",
  );
  const { json } = await server.as("viewer").get(`/api/payouts/${code}`);
  const since = `${json.silent_since.slice(0, 19).replace("T", " ")} UTC`;
  expect(json).toMatchObject({
    state: "accepted",
    outlook: {
      moved: "maybe",
      answer: `Possibly. The gateway accepted the payout, but has not returned a readable status since ${since}.`,
    },
  });
  expect((await seen()).alarm).toEqual({
    code: "no_status_answers",
    level: "warning",
    says: `the gateway is not returning a readable status for payouts that it has accepted: ${laneName(laneIn("INR"), new Map())} (1 payout, the oldest for 45 min: ${code})`,
    parts: [],
  });

  expect(await asked(1, false)).toBe(true);
  expect(await seen()).toEqual(well);
});
