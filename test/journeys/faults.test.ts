import { describe, expect, test } from "vitest";
import { FAULTS } from "#simulator/faults/faults.ts";
import { logByCode, differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { CASES, type FaultCase, LANE_CASES, LEFT_OUT } from "../support/kills/fault-table.ts";
import { ENGINES, reportOf, startSetup } from "../support/journey.ts";
import { documentOf, makeFile, runPayrun } from "../support/servers/payrun.ts";

const codeOf = (fault: string, index: number) => `${fault.replaceAll("_", "-")}-${index}.`;

function expectedOf(index: number): FaultCase {
  const expected = CASES[index];
  if (!expected) throw new Error(`no case ${index}`);
  return expected;
}

test("defines an expected result for every fault of the gateway", () => {
  const told = [...CASES, ...LANE_CASES].map(({ fault }) => fault);
  const callbacks = Object.keys(FAULTS).filter((name) => name.startsWith("callback_"));
  expect(new Set([...told, ...LEFT_OUT, ...callbacks])).toEqual(new Set(Object.keys(FAULTS)));
});

describe.each(ENGINES)("with the queue in %s", (engine) => {
  test("F35 F36 F37 F39 F40 F42 F43 F44 F45 F46 F47 F48 F50 F51 F52 F53 F56 F76 F110 F114 F115 F119 F120 pays nothing twice and reports nothing that the transaction log lacks, with each fault in one file", async () => {
    const faults = CASES.flatMap(({ fault, rule, also = [] }, index) => {
      const code = `${codeOf(fault, index)}*`;
      return [{ fault, ...rule, code }, ...also.map((more) => ({ ...more, code }))];
    });
    const stage = await startSetup(engine, { faults });
    try {
      const { path, totals } = makeFile(
        stage.folder,
        CASES.map(({ fault }, index) => ({
          code: `${codeOf(fault, index)}x`,
          amount: `${100 + index}.25`,
        })),
      );
      const paid = await runPayrun(["pay", path, "--json", ...totals], stage.env);
      const told = documentOf(paid);
      expect(told.state).toBe("finished_with_exceptions");
      expect(paid.code).toBe(8);

      const lines = await stage.gateway.log();
      const book = logByCode(lines);
      const report = await reportOf(told.batch_id, stage.env);
      const wrong = report.flatMap(({ transaction_code, state, reason }, index) => {
        const { fault, ends, reason: expected, accepted } = expectedOf(index);
        const times = book.get(transaction_code ?? "")?.accepted ?? 0;
        const fits =
          state === ends && times === accepted && (!expected || expected.test(reason ?? ""));
        return fits ? [] : [`${fault}: ${state} (${reason}), accepted ${times} times`];
      });
      expect(wrong).toEqual([]);
      expect(report).toHaveLength(CASES.length);

      // The only payout that the gateway reported as failed although its log says settled: the
      // gateway's own false report.
      const lied = report.find(
        (_, index) => CASES[index]?.fault === "status_failed",
      )?.transaction_code;
      expect(differences(report, lines)).toEqual({ ...NO_DIFFERENCE, paidUnreported: [lied] });
      const sums = Object.values(told.sums["INR"] ?? {}).map((text) =>
        BigInt(text.replace(".", "")),
      );
      expect(sums.reduce((a, b) => a + b, 0n)).toBe(
        BigInt((told.totals["INR"] ?? "").replace(".", "")),
      );
    } finally {
      await stage.stop();
    }
  });

  test("F41 F59 F116 F117 stops a lane for a setup problem, and finishes with the same command", async () => {
    const faults = LANE_CASES.map(({ fault, currency }) => ({
      fault,
      currency,
      times: 1,
      code: `${currency}-0`,
    }));
    const stage = await startSetup(engine, { faults });
    try {
      const rows = LANE_CASES.flatMap(({ currency }) =>
        Array.from({ length: 3 }, (_, index) => ({
          code: `${currency}-${index}`,
          currency,
          amount: "500",
        })),
      );
      const { path, totals } = makeFile(stage.folder, rows);
      // One payout at a time, so that the first one stops its lane before the next is sent.
      const env = { ...stage.env, SUBMIT_CONCURRENCY: "1" };
      const first = await runPayrun(["pay", path, "--json", ...totals], env);
      expect(first.code).toBe(8);
      const { batch_id: id, state } = documentOf(first);
      expect(state).toBe("approved");
      const told = await reportOf(id, env);
      const expected = LANE_CASES.flatMap(({ currency, needs }) =>
        [0, 1, 2].map((index) => [
          `${currency}-${index}`,
          needs === "person" ? "approved" : "settled",
        ]),
      );
      expect(told.map(({ transaction_code, state: now }) => [transaction_code, now])).toEqual(
        expected,
      );

      const again = await runPayrun(["pay", path, "--json", ...totals], env);
      expect(documentOf(again)).toMatchObject({ batch_id: id, states: { settled: rows.length } });
      expect(again.code).toBe(0);
      const summary = await stage.gateway.summary();
      expect(summary).toMatchObject({
        accepted: rows.length,
        settled: rows.length,
        paid_twice: [],
      });
    } finally {
      await stage.stop();
    }
  });
});

test("finds a gateway that pays twice by comparing with its transaction log", async () => {
  const code = "twice*";
  const stage = await startSetup("postgres", {
    faults: [
      { fault: "race", code },
      { fault: "cut_after", code, times: 1 },
      { fault: "status_unknown", code, first: 2 },
    ],
  });
  try {
    const { path, totals } = makeFile(stage.folder, [{ code: "twice-1" }, { code: "once-1" }]);
    const paid = await runPayrun(["pay", path, "--json", ...totals], stage.env);
    const report = await reportOf(documentOf(paid).batch_id, stage.env);
    expect(differences(report, await stage.gateway.log()).paidTwice).toEqual(["twice-1"]);
  } finally {
    await stage.stop();
  }
});
