import { afterAll, beforeAll, expect, test } from "vitest";
import { SCHEMA } from "#ledger/store/database.ts";
import { freshLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";
import { Describer } from "../../support/statements/describe.ts";
import { differences, differencesOf } from "../../support/statements/rows.ts";
import { Source } from "../../support/statements/source.ts";
import { type Found, findStatements, type Statement } from "../../support/statements/statements.ts";

/** Statements that are not checked, by file, with the reason. This list may only shrink. */
const UNCHECKED: Readonly<Record<string, string>> = {
  "src/ledger/store/migrate.ts": "runs the files of migrations/, which make the schema",
};

/** Statements that PostgreSQL cannot prepare, with the reason. This list may only shrink. */
const NOT_PREPARED: Readonly<Record<string, string>> = {
  "src/ledger/store/advisory-locks.ts": "ends the session: two commands, no table",
  "src/ledger/store/migrate.ts": "ends the session: two commands, no table",
  "src/ledger/store/history.ts":
    "one template reads six tables with columns from two descriptions; the tests of export/ run all",
};

/** Columns that may be null, but not in these rows, with the reason. This list may only shrink. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  "src/ledger/integrity/freeze.ts frozen_at": "the statement itself sets it",
  "src/ledger/schedule/send-times.ts approvedAt": "every approved batch has it (migration check)",
  "src/ledger/feed/result-files.ts folder": "only occurrences with a folder are read",
  "src/ledger/intake/exact-duplicates.ts approvedAt": "the statement requires it",
};

let source: Source;
let found: Found;
beforeAll(() => {
  source = new Source(["src", "jobs", "workers"]);
  found = findStatements(source);
});
afterAll(() => source?.close());

const fileOf = (place: string): string => place.replace(/:\d+$/, "");

interface Checked {
  /** PostgreSQL's refusals, by place. */
  readonly refused: readonly string[];
  readonly differences: readonly string[];
}

async function check(url: string, statements: readonly Statement[]): Promise<Checked> {
  const describer = await Describer.at(url, SCHEMA);
  const refused: string[] = [];
  const different: string[] = [];
  for (const { place, forms, row, value } of statements) {
    for (const text of forms) {
      const columns = await describer.columnsOf(text).catch((refusal: Error) => refusal);
      if (columns instanceof Error) {
        refused.push(`${place} ${columns.message}: ${text}`);
        continue;
      }
      const [only] = columns;
      if (row)
        different.push(...differences(source, row, columns).map((each) => `${place} ${each}`));
      if (value && only) {
        different.push(...differencesOf(source, value, only).map((each) => `${place} ${each}`));
      }
    }
  }
  await describer.close();
  return { refused, differences: [...new Set(different)] };
}

const withoutLine = (text: string): string => text.replace(/^(\S+?):\d+/, "$1");

test("finds every sql template of the product in a statement that it can check", () => {
  expect(source.files.length).toBeGreaterThan(500);
  expect(found.statements.length).toBeGreaterThan(350);
  expect(found.statements.filter(({ row }) => row !== null).length).toBeGreaterThan(150);
  expect(found.unused).toEqual([]);
  const unchecked = [...found.unresolved].map(([place]) => fileOf(place));
  expect(unchecked).toEqual(Object.keys(UNCHECKED));
});

test("prepares every statement, and PostgreSQL returns the declared rows", async () => {
  const checked = await check(await freshLedger(), found.statements);

  const refusedIn = new Set(checked.refused.map((each) => withoutLine(each).split(" ", 1)[0]));
  const strange = checked.refused.filter(
    (each) => !Object.hasOwn(NOT_PREPARED, withoutLine(each).split(" ", 1)[0] ?? ""),
  );
  expect(strange).toEqual([]);
  expect(refusedIn).toEqual(new Set(Object.keys(NOT_PREPARED)));

  const known = Object.keys(NEVER_NULL).map((each) => `${each}: may be null`);
  expect(checked.differences.map(withoutLine).toSorted()).toEqual(known.toSorted());
});

test("the tables of the query builder have the declared columns", async () => {
  const describer = await Describer.at(await freshLedger(), SCHEMA);
  const rows = source.typeNamed("test/support/statements/tables.ts", "SelectedRows");
  const tables = source.checker.getPropertiesOfType(rows);
  const different: string[] = [];
  for (const table of tables) {
    const columns = await describer.columnsOf(`select * from ${table.name}`);
    const row = source.checker.getTypeOfSymbol(table);
    if (!row) throw new Error(`${table.name} has no type`);
    different.push(...differences(source, row, columns).map((each) => `${table.name}.${each}`));
  }
  await describer.close();
  expect(different).toEqual([]);
  expect(tables.length).toBeGreaterThan(35);
});

test("reports a renamed column, a different type and a column that may become null", async () => {
  const url = await freshLedger();
  await query(url, `alter table ${SCHEMA}.lane_rate_limits rename column set_at to placed_at`);
  await query(
    url,
    `alter table ${SCHEMA}.lane_rate_limits alter column set_by type bytea using null`,
  );
  await query(
    url,
    `alter table ${SCHEMA}.lane_rate_limits alter column used_until_ms drop not null`,
  );
  const statements = found.statements.filter(({ place }) => /\/lane\//.test(place));

  const checked = await check(url, statements);

  const all = [...checked.refused, ...checked.differences].map(withoutLine).join("\n");
  expect(all).toContain(
    'rate-limit.ts column "set_at" of relation "lane_rate_limits" does not exist',
  );
  expect(all).toContain("rate-limit.ts set_at: no such column");
  expect(all).toContain("rate-limit.ts set_by: string is declared, Buffer is read");
  expect(all).toContain("rate-limit.ts used_until_ms: may be null");
});
