import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { alone, type Database, openDatabase } from "#ledger/database.ts";
import type { Tables } from "#ledger/tables.ts";
import { freshDatabase } from "../support/ledger.ts";

let pool: pg.Pool;
let mine: Database;
let others: Database;
/** The server breaks off every statement of ours but the one that takes a transaction back. */
let isBroken: boolean;
beforeEach(async () => {
  const url = await freshDatabase();
  pool = new pg.Pool({ connectionString: url, max: 1 });
  isBroken = false;
  const breaking: PostgresPool = {
    async connect() {
      const client = await pool.connect();
      const query = async (text: string, values: unknown[]) => {
        if (isBroken && text !== "rollback") throw new Error("canceling statement");
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

test("whoever worked alone keeps no lock, also where the statement that lets go of it was broken off", async () => {
  const worked = alone(mine, "sweep", async () => {
    expect(await alone(others, "sweep", async () => "theirs")).toBeNull();
    isBroken = true;
  });
  await worked.catch(() => {});
  expect(pool.totalCount, "its connection is in the pool").toBe(1);
  expect(await alone(others, "sweep", async () => "theirs")).toBe("theirs");
});
