import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogLine } from "#simulator/state/transaction-log.ts";
import { answerStatement } from "#simulator/statements/statement-routes.ts";
import { dayBalances, statementRows } from "#simulator/statements/statement-day.ts";
import { statementFile } from "#simulator/statements/statement-file.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";

const DAY = Date.parse("2026-11-26T00:00:00Z");
const day = {
  merchant: "M1",
  currency: "INR",
  fromMs: DAY,
  toMs: DAY + 86_400_000,
  feePercent: "0",
};

let seq = 0;
const log = (event: LogLine["event"], code: string, at: number, amount = "10.50"): LogLine =>
  ({
    seq: seq++,
    at,
    event,
    merchant: "M1",
    transaction_code: code,
    transaction_no: `WD${code}`,
    amount,
    currency: "INR",
  }) as LogLine;

const rowsOf = (count: number): StatementRow[] =>
  Array.from({ length: count }, (_, at) => ({
    number: `WD${at}`,
    code: `PR${at}`,
    currency: "INR",
    amount: "100.00",
    fee: "1.00",
    status: "Completed",
    at: DAY + at * 1_000,
  }));

const NONE = { seed: 7, rows: {}, file: [] } as const;

describe("the statement of a day", () => {
  test("lists each result of the day, and payouts without a result as pending", () => {
    const lines = [
      log("accepted", "A", DAY - 5),
      log("settled", "A", DAY + 1),
      log("accepted", "B", DAY + 2),
      log("accepted", "C", DAY + 3),
      log("failed", "C", DAY + 4),
      log("returned", "A", DAY + 5),
      log("settled", "B", day.toMs),
    ];
    expect(statementRows(lines, day).map(({ code, status }) => `${code} ${status}`)).toEqual([
      "A Completed",
      "C Failed",
      "A Returned",
      "B Pending",
    ]);
    expect(dayBalances(lines, day)).toEqual({
      opening: "1000000000",
      closing: "1000000000",
      deposits: "0",
    });
  });

  test("is answered as CSV, with its defects and balances as JSON", () => {
    const lines = [log("settled", "A", DAY + 1), log("settled", "B", DAY + 2)];
    const asked = "merchant=M1&currency=INR&day=2026-11-26";
    const answer = (path: string) =>
      answerStatement(new URL(`http://simulator/${path}`), {
        lines: () => lines,
        feePercent: "1",
      });
    expect(answer(`statement?${asked}`)?.body).toBe(
      "Transaction No,Transaction Code,Currency,Amount,Fee,Status,Completed At\n" +
        "WDA,A,INR,10.50,0.11,Completed,2026-11-26T00:00:00.001Z\n" +
        "WDB,B,INR,10.50,0.11,Completed,2026-11-26T00:00:00.002Z\n",
    );
    expect(answer(`statement-defects?${asked}&defects=missing:1`)?.body).toMatch(
      /^\[\{"defect":"missing","code":"[AB]"\}\]$/,
    );
    expect(answer(`statement-balances?${asked}`)?.body).toBe(
      '{"opening":"1000000000","closing":"999999978.78","deposits":"0"}',
    );
    expect(answer(`statement?${asked}&defects=wrong`)?.status).toBe(400);
    const incomplete = answer("statement?day=x");
    expect(incomplete?.status).toBe(400);
    expect(JSON.parse(incomplete?.body ?? "").message).toMatch(
      /^merchant: is missing: text; currency: is missing: text; day: a date such as 2026-12-31\. Example: \/statement\?merchant=/,
    );
    expect(JSON.parse(answer(`statement?${asked}&format=pdf&seed=x`)?.body ?? "").message).toMatch(
      /^seed: a (?:whole )?number; format: one of csv, camt\.053\./,
    );
    expect(answer("other")).toBeNull();
  });
});

describe("a defect", () => {
  test("strikes exactly as many rows as planned, each once, and is the same again", () => {
    const rows = { missing: 2, doubled: 3, plus_one: 1, foreign: 2, late_return: 1 };
    const plan = { ...NONE, rows };
    const first = statementFile(rowsOf(100), plan);
    expect(
      Object.fromEntries(
        Object.entries(Object.groupBy(first.applied, ({ defect }) => defect)).map(([name, all]) => [
          name,
          all?.length,
        ]),
      ),
    ).toEqual(rows);
    expect(new Set(first.applied.map(({ code }) => code.replace(/^X/, ""))).size).toBe(9);
    expect(statementFile(rowsOf(100), plan)).toEqual(first);
    expect(first.csv.trim().split("\n")).toHaveLength(1 + 100 - 2 + 3 + 2);
  });

  test("changes an amount by one minor unit", () => {
    const { csv, applied } = statementFile(rowsOf(1), { ...NONE, rows: { minus_one: 1 } });
    expect(applied).toEqual([{ defect: "minus_one", code: "PR0" }]);
    expect(csv).toContain(",99.99,");
  });

  test("cuts the file, and lists the rows that it has lost", () => {
    const { csv, applied } = statementFile(rowsOf(10), { ...NONE, file: ["truncated"] });
    const kept = csv.trim().split("\n").length - 1;
    expect(kept).toBeLessThan(10);
    expect(applied).toEqual(
      rowsOf(10)
        .slice(kept)
        .map(({ code }) => ({ defect: "truncated", code })),
    );
    expect(statementFile(rowsOf(10), { ...NONE, file: ["cut_row"] }).csv).not.toMatch(/\n$/);
  });

  test("can reorder the columns", () => {
    const { csv } = statementFile(rowsOf(1), { ...NONE, file: ["shuffled"] });
    const [header = ""] = csv.split("\n");
    expect(header).not.toBe(
      "Transaction No,Transaction Code,Currency,Amount,Fee,Status,Completed At",
    );
    expect(header.split(",").toSorted()[0]).toBe("Amount");
  });
});

test("the generator shares no code with the reconciler", () => {
  const root = join(import.meta.dirname, "../..");
  const importsOf = (file: string) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(
      ([, name = ""]) => name,
    );
  const own = globSync("simulator/statements/*.ts", { cwd: root }).flatMap(importsOf);
  const foreign = own.filter((name) => !/^(?:#simulator\/|\.\/|node:|zod$)/.test(name));
  expect([own.length > 5, foreign]).toEqual([true, []]);
  const all = globSync("simulator/**/*.ts", { cwd: root }).flatMap(importsOf);
  const shared = all.filter((name) =>
    /^#(?:reconciliation|intake|flows|ledger|schedule)\b|\.\.\/src\b/.test(name),
  );
  expect([all.length > 100, shared]).toEqual([true, []]);
});

test("a cut row can end in any of its cells", () => {
  const commas = Array.from({ length: 40 }, (_, seed) => {
    const { csv } = statementFile(rowsOf(10), { ...NONE, seed, file: ["cut_row"] });
    return csv.split("\n").at(-1)?.split(",").length;
  });
  expect(new Set(commas)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
});
