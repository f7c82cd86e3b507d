import { afterEach, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { outageOf } from "#ledger/store/outage.ts";
import { isOneSession } from "#ledger/store/server-properties.ts";
import { openPool } from "#postgres/pool.ts";
import { settingStatement } from "#postgres/pooler.ts";
import { approvedBatch, claimOf, freshDatabase, openTestLedger } from "../support/ledger.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { type PgBouncer, startPgBouncer } from "../support/servers/pgbouncer.ts";
import { rowsOf } from "../support/servers/payrun.ts";

let pooler: PgBouncer | null = null;
afterEach(async () => {
  await pooler?.stop();
  pooler = null;
});
const started = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  pooler = await startPgBouncer(await freshDatabase(), settings);
  return pooler.url;
};

test("sets the same as a startup message", () => {
  expect(settingStatement("-c search_path=payrun -c x=read\\ committed -c y=60s").values).toEqual([
    ["search_path", "x", "y"],
    ["payrun", "read committed", "60s"],
  ]);
});

describe("behind PgBouncer in session mode", () => {
  test("migrates the ledger, claims payouts and keeps its session settings", async () => {
    const url = await started({ pool_mode: "session" });
    const database = openDatabase(url);
    await migrate(database);
    const { rows } = await sql<{ path: string; timeout: string; durable: string }>`
      select current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
        current_setting('synchronous_commit') as durable`.execute(database);
    expect(rows).toEqual([{ path: "payrun", timeout: "1min", durable: "on" }]);
    expect(await isOneSession(database)).toBe(true);
    await database.destroy();
    const open = await openTestLedger(url);
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toHaveLength(2);
    await open.close();
  }, 60_000);

  test("receives notifications", async () => {
    const url = await started({ pool_mode: "session" });
    const pool = openPool(url, { purpose: "listen", size: 2, options: "-c search_path=payrun" });
    const listener = await pool.connect();
    const heard = new Promise((resolve) => listener.on("notification", resolve));
    await listener.query("listen jobs");
    await pool.query("notify jobs, 'new'");
    expect(await heard).toMatchObject({ channel: "jobs", payload: "new" });
    listener.release();
    await pool.end();
  });
});

describe("behind PgBouncer that shares sessions", () => {
  test.each([
    ["transaction", {}],
    ["transaction", { server_round_robin: "1" }],
    ["transaction", { default_pool_size: "1" }],
    ["statement", {}],
  ])(
    "refuses %s mode with %o, and says what to do",
    async (mode, settings) => {
      const url = await started({ pool_mode: mode, ...settings });
      const database = openDatabase(url);
      const refused = await migrate(database).catch((error: unknown) => error);
      await database.destroy();
      expect(refused).toMatchObject({
        message: expect.stringMatching(/^the pooler does not keep one session for each connection/),
      });
      expect(outageOf(refused as Error)?.advice).toContain("set pool_mode = session");
    },
    30_000,
  );

  test("refuses it also if it ignores the session settings", async () => {
    const url = await started({
      pool_mode: "transaction",
      ignore_startup_parameters: "options",
    });
    const database = openDatabase(url);
    await expect(migrate(database)).rejects.toThrow("drops session settings");
    await database.destroy();
  });
});
