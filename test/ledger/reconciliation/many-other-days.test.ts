import { expect, test } from "vitest";
import { OtherDays } from "#flows/reconciliation/other-days.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DAY, NEXT, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);

test.each([1, 2, 3, 100])(
  "compares every code of another day with at most %i codes in memory",
  async (waitingMax) => {
    await ledger.reconcile(csvOf(rows).csv);
    const late = csvOf(rows.map((row) => ({ ...row, at: Date.parse("2026-11-27T08:00Z") }))).csv;
    const { statement } = await ledger.reconcile(late, { day: NEXT.day });
    const compared: string[] = [];
    await ledger.open.ledger.transaction(async ({ reconciliation }) => {
      const { id: statementId, lane, day, startsAt, endsAt } = statement;
      const steps = {
        ...reconciliation,
        findCodeKeys: (of: string, codes: readonly string[]) => {
          expect(codes.length).toBeLessThanOrEqual(waitingMax);
          compared.push(...codes);
          return reconciliation.findCodeKeys(of, codes);
        },
      };
      const run = { lane, day, statementId, comparison: "CMTEST", actor: "cli:asha" };
      const others = new OtherDays(run, steps, waitingMax);
      const asked = { statementId, lane, startsAt, endsAt };
      const { matches } = await others.match(asked);
      for await (const _ of matches);
      await others.end();
    });
    expect(new Set(compared).size).toBe(rows.length);
  },
);
