import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { runDailyRetention, runRetention } from "#flows/operations/run-retention.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { countExpired, readRetention, writeRetention } from "#ledger/integrity/retention.ts";
import { RETENTION_KIND_NAMES, type RetentionRules } from "#integrity/retention.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { ingestFile, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { asIs, force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const deps = () => ({ ledger: open.ledger, clock: systemClock });
const NO_RULES = Object.fromEntries(
  RETENTION_KIND_NAMES.map((kind) => [kind, null]),
) as unknown as RetentionRules;

const setRules = (rules: Partial<RetentionRules>, hold: string | null = null) =>
  open.database
    .transaction()
    .execute((transaction) =>
      writeRetention(
        transaction,
        { rules: { ...NO_RULES, ...rules }, hold },
        { actor: "cli:root", at: new Date() },
      ),
    );
const countOf = async (table: string): Promise<number> =>
  Number((await query(open.url, `select count(*) as n from ${table}`))[0]?.["n"]);
const runs = async () =>
  (await query(open.url, "select facts from audit where action = 'retention_run'")).map(
    ({ facts }) => JSON.parse(String(facts)) as { deleted: Record<string, number> },
  );

/** A finished batch with one rejected row, and everything about it so many days ago. */
async function finishedBatch(daysAgo: number): Promise<string> {
  const { batch } = await ingestFile(open.ledger, fileText([{}, { amount: "x" }]));
  const { id } = batch;
  await force(
    open.url,
    `update batches set state = 'finished_with_exceptions', finished_at = now() where id = '${id}'`,
  );
  await force(open.url, `update payouts set state = 'cancelled' where batch_id = '${id}'`);
  await force(open.url, `delete from payout_counts where batch_id = '${id}'`);
  while ((await publishEvents(open.database)) > 0);
  await force(
    open.url,
    `update batches set finished_at = now() - interval '${daysAgo} days' where id = '${id}';
     update payouts set updated_at = now() - interval '${daysAgo} days' where batch_id = '${id}'`,
  );
  return id;
}

async function addLogs(daysAgo: number): Promise<void> {
  const at = `now() - interval '${daysAgo} days'`;
  await force(
    open.url,
    `insert into users (id, email, name, roles) values ('US${daysAgo}', '${daysAgo}@example.com', 'Ann', '{viewer}');
     insert into notices (id, key, event, object, facts) values ('N${daysAgo}', 'k${daysAgo}', 'x', 'x', '{}');
     insert into inbox (user_id, notice_id, read_at) values ('US${daysAgo}', 'N${daysAgo}', ${at});
     insert into deliveries (notice_id, channel_id, state, updated_at) values
       ('N${daysAgo}', 'CA', 'delivered', ${at}), ('N${daysAgo}', 'CB', 'waiting', ${at});
     insert into sessions (id, digest, user_id, secure, address, agent, seen_at, expires_at, ended_at, created_at) values
       ('SA${daysAgo}', 'a${daysAgo}', 'US${daysAgo}', true, 'x', 'x', ${at}, ${at}, ${at}, ${at}),
       ('SB${daysAgo}', 'b${daysAgo}', 'US${daysAgo}', true, 'x', 'x', ${at}, ${at}, ${at}, ${at} + interval '1 hour')`,
  );
}

const ALL = { rejected_rows: 30, deliveries: 30, notifications: 30, sessions: 30 };

describe("retention rules", () => {
  test("keep everything until they are set", async () => {
    await finishedBatch(4_000);
    await addLogs(4_000);
    expect(await readRetention(open.database)).toEqual({ rules: NO_RULES, hold: null });
    expect(await runRetention("cli:root", deps())).toBeNull();
    expect(await runs()).toEqual([]);
    expect(await countOf("rejected_rows")).toBe(1);
  });

  test("delete exactly what is old and not open, with one entry for each run", async () => {
    await finishedBatch(40);
    const kept = await finishedBatch(20);
    await addLogs(40);
    await addLogs(20);
    await setRules(ALL);
    const counts = await countExpired(open.database);
    expect(counts).toMatchObject({ deliveries: 1, notifications: 1, sessions: 1 });
    expect(counts.rejected_rows).toBeGreaterThanOrEqual(1);
    expect(await countOf("rejected_rows")).toBe(2);

    const { payout_details: _none, ...expected } = counts;
    expect(await runRetention("cli:root", deps())).toEqual(expected);
    expect(await runs()).toEqual([{ deleted: expected }]);
    expect(await query(open.url, "select batch_id from rejected_rows")).toEqual([
      { batch_id: kept },
    ]);
    expect(await query(open.url, "select state from deliveries order by 1")).toHaveLength(3);
    expect(await query(open.url, "select id from sessions order by 1")).toEqual([
      { id: "SA20" },
      { id: "SB20" },
      { id: "SB40" },
    ]);
    expect(await countOf("inbox")).toBe(1);
    expect((await verifyAudit(open.database)).intact).toBe(true);
    expect(await runRetention("cli:root", deps())).toEqual({});
  });

  test("leave batches of which anything is open, and all data during a legal hold", async () => {
    await ingestFile(open.ledger, fileText([{}, { amount: "x" }]));
    const id = await finishedBatch(40);
    await force(
      open.url,
      `update payouts set state = 'settled', status_answer = 'returned' where batch_id = '${id}'`,
    );
    await setRules(ALL);
    await runRetention("cli:root", deps());
    expect(await countOf("rejected_rows")).toBe(2);
    await force(open.url, `update payouts set status_answer = null where batch_id = '${id}'`);
    await setRules(ALL, "case 12");
    expect(await runRetention("cli:root", deps())).toBeNull();
    expect(await countOf("rejected_rows")).toBe(2);
    await setRules({ ...ALL, payout_details: 50 });
    await runRetention("cli:root", deps());
    expect(await countOf("rejected_rows")).toBe(2);
    await setRules(ALL);
    await runRetention("cli:root", deps());
    expect(await countOf("rejected_rows")).toBe(1);
  });

  test("cannot be bypassed or made too short by the application", async () => {
    for (const statement of ["delete from deliveries", "delete from inbox", "delete from sessions"])
      await expect(asIs(open.url, statement)).rejects.toThrow("permission denied");
    await expect(setRules({ deliveries: 3 })).rejects.toThrow("check");
  });

  test("run once a day", async () => {
    await finishedBatch(40);
    await setRules(ALL);
    await runDailyRetention(deps());
    await finishedBatch(40);
    await runDailyRetention(deps());
    expect(await runs()).toHaveLength(1);
    expect(await countOf("rejected_rows")).toBe(1);
    const tomorrow = { nowMs: () => Date.now() + 25 * 3_600_000 };
    await runDailyRetention({ ledger: open.ledger, clock: tomorrow });
    expect(await runs()).toHaveLength(2);
    expect(await countOf("rejected_rows")).toBe(0);
  });
});
