/**
 * The rights of the application's role, compared with the statements in the code and with
 * PostgreSQL.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerRole, RIGHTS } from "#ledger/store/rights.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { ROOT } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const STATEMENTS: Readonly<Record<string, readonly RegExp[]>> = {
  insert: [/insert into (\w+)/g, /insertInto\("(\w+)"/g],
  update: [
    /update (\w+)\b/g,
    /updateTable\("(\w+)"/g,
    /insert into (\w+)(?:(?!insert into)[^;])*?do update/g,
    /insertInto\("(\w+)"(?:(?!insertInto)[^;])*?doUpdateSet/g,
  ],
  delete: [/delete from (\w+)/g, /deleteFrom\("(\w+)"/g],
};

/** The lists of closings are decided by one statement, which takes the name of its table. */
const BY_NAME: readonly string[] = [
  "break_resolutions",
  "deposit_resolutions",
  "payout_resolutions",
  "wait_endings",
];

function rightsInCode(): Map<string, Set<string>> {
  const found = new Map([...RIGHTS.keys()].map((table) => [table, new Set(["select"])]));
  for (const table of BY_NAME) found.get(table)?.add("update");
  for (const path of globSync("src/{ledger,flows,http,inbox}/**/*.ts", { cwd: ROOT })) {
    // What the owner runs.
    if (path.endsWith("/migrate.ts")) continue;
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const [right, forms] of Object.entries(STATEMENTS)) {
      for (const form of forms) {
        for (const [, table = ""] of text.matchAll(form)) found.get(table)?.add(right);
      }
    }
  }
  // A trigger runs with the rights of the role whose statement fires it.
  for (const path of globSync("migrations/*.sql", { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const [, body = ""] of text.matchAll(/language plpgsql as \$\$(.*?)\$\$/gs)) {
      for (const [, table = ""] of body.matchAll(/insert into (\w+)/g))
        found.get(table)?.add("insert");
    }
  }
  return found;
}

test("every right on a table is used by a statement, and every statement has its right", () => {
  const inCode = [...rightsInCode()].map(([table, rights]) => [table, [...rights].sort()]);
  const given = [...RIGHTS].map(([table, rights]) => [table, rights.toSorted()]);
  expect(given).toEqual(inCode);
});

test("every table of the ledger has a line in the list of rights", async () => {
  const tables = await query(
    open.url,
    "select relname as name from pg_class where relnamespace = 'payrun'::regnamespace and relkind = 'r'",
  );
  expect([...RIGHTS.keys()].sort()).toEqual(tables.map(({ name }) => String(name)).sort());
});

test("PostgreSQL gives the role these rights and no others", async () => {
  expect(await ledgerRole(open.database)).toEqual({
    name: "payrun_app",
    powers: [],
    mayMigrate: false,
    lacks: [],
    exceeds: [],
  });
});

test("only the role and the owner can call functions that write with the rights of the owner", async () => {
  const called = await query(
    open.url,
    `select proname as name, has_function_privilege('public', oid, 'execute') as public,
       has_function_privilege('payrun_app', oid, 'execute') as app
     from pg_proc where pronamespace = 'payrun'::regnamespace and prosecdef order by 1`,
  );
  const names = [
    "clear_terms",
    "count_payouts_added",
    "count_payouts_changed",
    "count_payouts_removed",
    "delete_expired",
    "detach_archive_part",
    "erase_comments",
    "erase_data",
    "keep_delivery_attempt",
    "merge_payout_counts",
    "remove_payouts",
    "restore_archive_part",
  ];
  expect(called).toEqual(names.map((name) => ({ name, public: false, app: true })));
});

test("every function of the ledger names the schema that it reads", async () => {
  const loose = await query(
    open.url,
    `select proname from pg_proc where pronamespace = 'payrun'::regnamespace
       and not coalesce('search_path=pg_catalog, payrun, pg_temp' = any (proconfig), false)`,
  );
  expect(loose).toEqual([]);
});
