import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "#ledger/store/advisory-locks.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import type { Tables } from "#ledger/store/tables.ts";
import { WatchedClient } from "#postgres/client.ts";
import { freshDatabase } from "../../support/ledger.ts";

let pool: pg.Pool;
let mine: Database;
let others: Database;
/** The server aborts all of our statements except the one that ends the session. */
let isBroken: boolean;
beforeEach(async () => {
  const url = await freshDatabase();
  pool = new pg.Pool({ Client: WatchedClient, connectionString: url, max: 1 });
  pool.on("error", () => {});
  isBroken = false;
  const breaking: PostgresPool = {
    async connect() {
      const client = await pool.connect();
      const query = async (text: string, values: unknown[]) => {
        if (isBroken && !text.startsWith("rollback")) throw new Error("canceling statement");
        return client.query(text, values);
      };
      return { query: query as never, release: () => client.release() };
    },
    end: () => pool.end(),
  };
  mine = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: breaking }) });
  others = openDatabase(url, 1);
});
afterEach(async () => {
  await mine.destroy();
  await others.destroy();
});

test("releases the lock of exclusive work, even when the releasing statement was aborted", async () => {
  const worked = withLock(mine, "sweep", async () => {
    expect(await withLock(others, "sweep", async () => "theirs")).toBeNull();
    isBroken = true;
  });
  await worked.catch(() => {});
  expect(await withLock(others, "sweep", async () => "theirs")).toBe("theirs");
});

test("shares one connection for all locks of a process, and takes each lock once", async () => {
  const first = Promise.withResolvers<void>();
  const sweeping = withLock(others, "sweep", async () => {
    await first.promise;
    return "swept";
  });
  // The other pool has one connection, which holds the first lock.
  expect(await withLock(others, "notify", async () => "told")).toBe("told");
  expect(await withLock(others, "sweep", async () => "twice")).toBeNull();
  expect(await withLock(mine, "sweep", async () => "elsewhere")).toBeNull();
  expect(await withLock(mine, "notify", async () => "elsewhere")).toBe("elsewhere");
  first.resolve();
  expect(await sweeping).toBe("swept");
  expect(await withLock(mine, "sweep", async () => "elsewhere")).toBe("elsewhere");
});
