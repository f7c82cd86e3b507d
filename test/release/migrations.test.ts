/**
 * A migration only expands the tables, so that the processes of the previous release keep working:
 * see docs/operate/upgrade.md.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Rule, statementsOf, violationsOf } from "./migration-rules.ts";

const FOLDER = join(import.meta.dirname, "../../migrations");
/** Last migration from before the rule. A release sets it to its own last migration. */
const RELEASED = 90;

/** Allowed violations of later migrations, by number, each with the reason why it is harmless. */
const EXCEPTIONS: Readonly<Record<string, Partial<Record<Rule | "breaks older code", string>>>> = {
  "0093": {
    "create trigger": "only deletes of previews run them, which older code never does",
    "create index": "there are few previews, and no payout is locked",
  },
  "0094": {
    "create trigger": "runs only if a fee changes after its settlement",
  },
  "0103": {
    revoke: "of functions that the same migration creates",
  },
  "0137": {
    "create trigger": "also keeps the attempts that older code overwrites",
    revoke: "of a function that the same migration creates",
  },
  "0142": {
    "create trigger": "they check the same as the replaced ones, for older code too",
    drop: "the function of a replaced trigger, which no code calls",
  },
  "0146": {
    "create trigger": "checks the same as the trigger that ran for each row, for older code too",
  },
  "0147": {
    "create trigger": "replaces two triggers that did the same for each row, for older code too",
    drop: "the functions of the replaced triggers, which no code calls",
  },
  "0121": {
    revoke: "of a function that the same migration creates",
  },
  "0098": {
    "create trigger":
      "counts older code's changes as well; its triggers take no lock that others hold",
    revoke: "of functions that the same migration creates",
  },
  "0123": {
    "create trigger": "older code never updates comments or truncates these tables",
    revoke: "of functions that the same migration creates",
  },
  "0101": {
    "create trigger": "older code never updates or deletes rows of these tables",
    revoke: "of functions that the same migration creates",
  },
  "0140": {
    "create index": "a break has few events, and no payout is locked",
  },
  "0141": {
    "add constraint": "allows all rows that older code writes, and there are few actions",
  },
};

const later = readdirSync(FOLDER).filter(
  (name) => name.endsWith(".sql") && Number(name.slice(0, 4)) > RELEASED,
);

test("finds the migrations since the last release", () => {
  expect(later).toContain("0096-synchronous-standbys.sql");
});

test.each(later)("%s only expands", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const allowed = EXCEPTIONS[name.slice(0, 4)] ?? {};
  const forbidden = violationsOf(text).filter(({ rule }) => !(rule in allowed));
  expect(forbidden, "split it into an expansion now and a contraction in a later release").toEqual(
    [],
  );
  const [, breaks] = /^-- Breaks older code: (yes|no)\b/m.exec(text) ?? [];
  const possible = "breaks older code" in allowed ? ["yes", "no"] : ["no"];
  expect(possible, "the header says whether it breaks older code").toContain(breaks);
});

describe("a migration", () => {
  test.each([
    ["alter table payouts drop column seq", "drop"],
    ["drop table epoch", "drop"],
    ["drop function f()", "drop"],
    ["alter table payouts rename column a to b", "rename"],
    ["alter table payouts rename to p", "rename"],
    ["alter table payouts alter column a type bigint", "alter type"],
    ["alter table payouts alter a set data type text", "alter type"],
    ["alter table payouts alter column a set not null", "set not null"],
    ["alter table payouts add column a text not null", "not null without default"],
    ["alter table payouts add constraint c check (a > 0)", "add constraint"],
    ["alter table payouts add unique (a)", "add constraint"],
    ["alter table payouts alter column a drop default", "drop default"],
    ["create trigger t before insert on payouts execute function f()", "create trigger"],
    ["create unique index i on payouts (a)", "create index"],
    ["update payouts set a = 1", "rewrite rows"],
    ["revoke update on payouts from r", "revoke"],
  ] as const)("may not %s", (statement, rule) => {
    const script = `-- A comment; with a semicolon.\ncreate table other (a text);\n${statement.toUpperCase()};\n`;
    expect(violationsOf(script)).toEqual([{ rule, statement }]);
  });

  test.each([
    "create table a (b text not null); create index i on a (b); create trigger t before insert on a execute function f()",
    "alter table payouts add column a text",
    "alter table payouts add column a text not null default ''",
    "alter table payouts add constraint c check (a > 0) not valid",
    "alter table payouts alter column a drop not null",
    "alter table payouts drop constraint c",
    "create or replace function f() returns trigger as $$ begin drop table a; end $$ language plpgsql",
    "comment on table payouts is 'drop table a; rename'",
  ])("may %s", (script) => {
    expect(violationsOf(script)).toEqual([]);
  });

  test("is divided at semicolons outside of texts", () => {
    expect(statementsOf("select ';';\n-- ;\nselect $x$ ; $x$ /* ; */; select \"a;b\"")).toEqual([
      "select ''",
      "select ''",
      'select "a;b"',
    ]);
  });
});
