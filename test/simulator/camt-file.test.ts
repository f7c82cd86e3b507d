import { describe, expect, test } from "vitest";
import { camtFile } from "#simulator/statements/camt-file.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { depositRows } from "#simulator/statements/statement-day.ts";
import { answerStatement } from "#simulator/statements/statement-routes.ts";
import type { LogLine } from "#simulator/state/transaction-log.ts";
import type { StatementPlan } from "#simulator/statements/statement-file.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import { suggestColumns } from "#reconciliation/statement-mapping.ts";
import { CAMT_COLUMNS } from "#reconciliation/camt/entry.ts";

const AT = Date.parse("2026-11-26T00:00:00Z");
const row = (at: number, status: StatementRow["status"] = "Completed"): StatementRow => ({
  number: `WD${at}`,
  code: `PR${at}`,
  currency: "INR",
  amount: "100.50",
  fee: "1.00",
  status,
  at: AT + at * 1_000,
});
const account = {
  merchant: "M&1",
  currency: "INR",
  day: "2026-11-26",
  balances: { opening: "1000", closing: "-7.25" },
  deposits: [{ number: "DP1", code: "D<1", amount: "9.99", at: AT }],
};

const written = (rows: readonly StatementRow[], plan: Partial<StatementPlan> = {}) =>
  camtFile(rows, { seed: 7, rows: {}, file: [], ...plan }, account);

async function read(xml: string) {
  async function* bytes() {
    yield Buffer.from(xml);
  }
  const mapping = {
    columns: suggestColumns(CAMT_COLUMNS),
    amountStyle: "plain",
    payoutSign: "negative",
    words: { book: "completed", pdng: "pending" },
    zone: "UTC",
  } as const;
  const opened = await openStatement(bytes(), mapping, { currency: "INR", minorDigits: 2 });
  if (!opened.ok) return opened.error.problems.map(({ column }) => column);
  const lines = [];
  for await (const chunk of opened.value.lines) lines.push(...chunk);
  const end = opened.value.end();
  if (!end.ok) return end.error.map(({ column }) => column);
  return lines.map(({ code, gatewayNumber, status, amount, fee, currency }) =>
    [code, gatewayNumber, status, amount.minor, fee?.minor ?? "-", currency].join(" "),
  );
}

describe("a camt.053 statement of the simulator", () => {
  test("states each result with its fee, and each deposit", async () => {
    const { xml } = written([row(1), row(2, "Failed"), row(3, "Pending"), row(4, "Returned")]);
    expect(await read(xml)).toEqual([
      "PR1 WD1 completed 10050 100 INR",
      "PR2 WD2 failed 10050 100 INR",
      "PR3 WD3 pending 10050 100 INR",
      "PR4 WD4 returned 10050 - INR",
      "D<1 DP1 returned 999 - INR",
    ]);
    expect(xml).toContain('<Amt Ccy="INR">7.25</Amt><CdtDbtInd>DBIT</CdtDbtInd>');
  });

  test("has the defects of the plan", async () => {
    const rows = { plus_one: 1, wrong_fee: 1, other_currency: 1 };
    const { xml, applied } = written([row(1), row(2), row(3)], { rows });
    const lines = await read(xml);
    expect(applied).toHaveLength(3);
    const ofDefect = { plus_one: "10051 100 INR", wrong_fee: "10050 101 INR" };
    for (const { defect, code } of applied) {
      const line = lines.find((each) => each?.startsWith(code));
      const expected = ofDefect[defect as keyof typeof ofDefect] ?? "10050 100 USD";
      expect(line).toContain(`completed ${expected}`);
    }
  });

  test("gives the same lines with its elements in another order", async () => {
    const plain = written([row(1), row(2)]).xml;
    const { xml } = written([row(1), row(2)], { file: ["shuffled"] });
    expect(xml).not.toBe(plain);
    expect(await read(xml)).toEqual(await read(plain));
  });

  test("is refused if it is cut off, between entries or within one", async () => {
    const rows = Array.from({ length: 20 }, (_, at) => row(at));
    for (let seed = 0; seed < 20; seed += 1) {
      const truncated = await read(written(rows, { seed, file: ["truncated"] }).xml);
      expect(truncated[0]).toBe("TxsSummry/TtlNtries/NbOfNtries");
      expect(await read(written(rows, { seed, file: ["cut_row"] }).xml)).toEqual([null]);
    }
  });

  test("is answered by the simulator with the balances and deposits of the day", async () => {
    const log = (event: LogLine["event"], code: string, at: number) =>
      ({
        seq: at,
        at,
        event,
        merchant: "M1",
        currency: "INR",
        transaction_code: code,
        transaction_no: `N${code}`,
        amount: "10.50",
      }) as LogLine;
    const lines = [log("settled", "A", AT + 1), log("deposit_paid", "B", AT + 2)];
    const asked = "merchant=M1&currency=INR&day=2026-11-26&format=camt.053";
    const url = new URL(`http://simulator/statement?${asked}`);
    const answer = answerStatement(url, { lines: () => lines, feePercent: "1" });
    expect(answer?.type).toBe("application/xml; charset=utf-8");
    expect(answer?.body).toContain('<Amt Ccy="INR">1000000000</Amt>');
    expect(answer?.body).toContain('<Amt Ccy="INR">999999999.89</Amt>');
    expect(await read(answer?.body ?? "")).toEqual([
      "A NA completed 1050 11 INR",
      "B NB returned 1050 - INR",
    ]);
    const before = { merchant: "M1", currency: "INR", fromMs: 0, toMs: AT, feePercent: "0" };
    expect(depositRows(lines, before)).toEqual([]);
  });
});
