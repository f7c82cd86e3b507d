/** Settings of an administrator, or a pooler, under a ledger. */
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#ledger/store/database.ts";
import { isOneSession } from "#ledger/store/server-properties.ts";
import { migrate } from "#ledger/store/migrate.ts";
import type { Tables } from "#ledger/store/tables.ts";
import { freshDatabase } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let url: string;
beforeEach(async () => {
  url = await freshDatabase();
});

test("reads dates and waits for transitions alike, whatever the database's settings", async () => {
  const name = new URL(url).pathname.slice(1);
  await query(
    url,
    `alter database ${name} set datestyle = 'SQL, DMY';
     alter database ${name} set timezone = 'Asia/Kolkata';
     alter database ${name} set default_transaction_isolation = 'serializable'`,
  );
  const database = openDatabase(url);
  const { rows } = await sql<{ at: Date; zone: string; isolation: string }>`
    select timestamptz '2026-11-12 23:30:00Z' as at, current_setting('timezone') as zone,
      current_setting('transaction_isolation') as isolation`.execute(database);
  await database.destroy();
  expect(rows).toEqual([
    { at: new Date("2026-11-12T23:30:00Z"), zone: "UTC", isolation: "read committed" },
  ]);
});

test("creates no ledger in a database that is not UTF8", async () => {
  const latin = `${new URL(url).pathname.slice(1)}_latin`;
  await query(url, `create database ${latin} encoding 'LATIN1' template template0`);
  const database = openDatabase(Object.assign(new URL(url), { pathname: `/${latin}` }).href);
  await expect(migrate(database)).rejects.toThrow(
    `The database ${latin} of DATABASE_URL has the encoding LATIN1, which cannot store every name`,
  );
  await database.destroy();
  await query(url, `drop database ${latin}`);
});

describe("behind a pooler that drops session settings", () => {
  let database: Kysely<Tables>;
  beforeEach(() => {
    const pool = new pg.Pool({ connectionString: url });
    database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  });
  afterEach(() => database.destroy());

  test("creates no ledger, in whatever schema comes first", async () => {
    await expect(migrate(database)).rejects.toThrow("expected search_path payrun, found");
    const { rows } = await sql`select to_regclass('migrations') as made`.execute(database);
    expect(rows).toEqual([{ made: null }]);
  });

  test("does not abandon a ledger created that way for an empty one", async () => {
    await sql`create table migrations (number integer)`.execute(database);
    await expect(migrate(database)).rejects.toThrow("Move it there first");
  });
});

describe("behind a pooler that gives each transaction a different session", () => {
  /**
   * The server's sessions form a stack: each transaction takes the top one and puts it back when it
   * ends.
   */
  const sharing = (sessions: pg.Client[]): PostgresPool => ({
    async connect() {
      let mine: pg.Client | null = null;
      const query = async (text: string, values: unknown[]) => {
        const session = mine ?? sessions.pop();
        if (!session) throw new Error("no session is free");
        if (/^begin/i.test(text)) mine = session;
        if (/^(?:commit|rollback)/i.test(text)) mine = null;
        const answer = await session.query(text, values);
        if (mine === null) sessions.push(session);
        return answer;
      };
      return { query: query as never, release: () => {} };
    },
    end: async () => {},
  });

  test("detects the pooler, and does not mistake PostgreSQL itself for one", async () => {
    const sessions = [1, 2].map(() => new pg.Client({ connectionString: url }));
    for (const session of sessions) await session.connect();
    const dialect = new PostgresDialect({ pool: sharing([...sessions]) });
    const shared = new Kysely<Tables>({ dialect });
    expect(await isOneSession(shared)).toBe(false);
    for (const session of sessions) await session.end();

    const database = openDatabase(url, 2);
    expect(await isOneSession(database)).toBe(true);
    await database.destroy();
  });
});
