import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { freshLedger } from "../../support/ledger.ts";
import {
  type Env,
  FAST,
  merchantsFile,
  runHere,
  type Running,
  scratch,
  startPayrun,
} from "../../support/servers/payrun.ts";
import { PASSWORD } from "../../support/actions/people.ts";
import { query } from "../../support/servers/postgres.ts";

function settings(DATABASE_URL: string): Env {
  const folder = scratch();
  return {
    ...FAST,
    DATABASE_URL,
    PAYRUN_DATA: folder,
    GATEWAY_URL: "http://127.0.0.1:9",
    MERCHANTS_FILE: merchantsFile(folder),
    PORT: "0",
  };
}

describe("a listening server that has not yet determined whether there are users", () => {
  let url: string;
  let database: Database;
  let server: Running;
  beforeEach(async () => {
    url = await freshLedger();
    database = openDatabase(url);
    server = startPayrun(["serve"], settings(url));
  });
  afterEach(async () => {
    server.child.kill("SIGKILL");
    await database.destroy();
  });
  const meanwhile = (work: () => Promise<unknown>) =>
    database.transaction().execute(async (transaction) => {
      await sql`lock table users in access exclusive mode`.execute(transaction);
      await server.says(/listening at/);
      await work();
    });

  test("F98 stops on SIGTERM", async () => {
    await meanwhile(async () => {
      server.child.kill("SIGTERM");
      await server.says(/will stop once/);
    });
    expect((await server.ended).code).toBe(0);
  }, 60_000);

  test("F24 keeps running when the database closes the connection, and says how to begin", async () => {
    const waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock'";
    await meanwhile(() =>
      eventually("it was hung up on", async () => {
        const ended = await query(url, `select pg_terminate_backend(pid) from (${waiting}) w`);
        return ended.length > 0;
      }),
    );
    await server.says(/user setup-link/);
    expect((await server.end("SIGTERM")).code).toBe(0);
  }, 60_000);
});

test("prints a link for the first admin on the first start, and a new link for a locked-out user", async () => {
  const DATABASE_URL = await freshLedger();
  const env = settings(DATABASE_URL);
  const nobody = await runHere(["user", "list"], env);
  expect([nobody.stdout, nobody.stderr]).toEqual([
    "",
    expect.stringContaining("There are no users yet"),
  ]);
  const server = startPayrun(["serve", "--no-workers"], env);
  const [, url = "", first = ""] = await server.says(
    /open this link within 24 hours: (http\S+)\/setup#(\S+)/,
  );

  const again = await runHere(["user", "setup-link"], env);
  const [, token = ""] = /\/setup#(\S+)/.exec(again.stdout) ?? [];
  const use = async (token: string, more: object) => {
    const answer = await fetch(`${url}/api/links/use`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, password: PASSWORD, ...more }),
    });
    return answer.status;
  };
  const me = { email: "ada@example.test", name: "Ada" };
  expect(await use(first, me)).toBe(410);
  expect(await use(token, me)).toBe(200);
  const late = await runHere(["user", "setup-link"], env);
  expect([late.code, late.stderr]).toEqual([6, expect.stringContaining("Users already exist")]);

  const listed = await runHere(["user", "list"], env);
  expect(listed.stdout).toMatch(/Ada +ada@example\.test +admin +active +off/);
  const reset = await runHere(["user", "reset-link", "ADA@example.test"], env);
  expect(await use(/\/invite#(\S+)/.exec(reset.stdout)?.[1] ?? "", {})).toBe(200);
  expect((await runHere(["user", "reset-link", "bob@example.test"], env)).code).toBe(4);

  const { said } = server;
  await server.end("SIGTERM");
  expect(said()).not.toContain(token);
  const audit = await query(DATABASE_URL, "select action from payrun.audit order by seq");
  expect(audit.map(({ action }) => action)).toEqual([
    "setup_link",
    "setup_link",
    "join",
    "sign_in",
    "reset_link",
    "join",
    "sign_in",
  ]);
});
