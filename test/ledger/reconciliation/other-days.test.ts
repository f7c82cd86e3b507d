/** Statements of several days: midnight, late lines, and one payout on two statements. */
import { describe, expect, test } from "vitest";
import { findBreaks } from "#ledger/reconciliation/breaks.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DAY, NEXT, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);
const nextRows = statementRowsOf(NEXT);
const [first] = rows as [StatementRow];
const { csv } = csvOf(rows);
const onNext = { day: NEXT.day };
/** Lines of the first payout with a time of the next day. */
const later = (changes: Partial<StatementRow> = {}): StatementRow => ({
  ...first,
  at: Date.parse("2026-11-27T08:00Z"),
  ...changes,
});
const nextWith = (...more: readonly StatementRow[]) => csvOf([...nextRows, ...more]).csv;
const withoutFirst = csvOf(rows.slice(1)).csv;

describe("a payout that is missing on its day", () => {
  test("is found on the statement of the next day", async () => {
    await ledger.reconcile(withoutFirst);
    expect(await ledger.unresolved()).toEqual([`${DAY.day} missing_at_gateway`]);
    await ledger.addPayouts(NEXT);
    expect(await ledger.reconcile(nextWith(later()), onNext)).toMatchObject({
      breaks: {},
      closed: 1,
    });
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("is not expected if the next statement was loaded first", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later()), onNext);
    expect(await ledger.reconcile(withoutFirst)).toMatchObject({ breaks: {} });
  });

  test.each(["Pending", "Failed"] as const)("stays missing if it is %s there", async (status) => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later({ status })), onNext);
    const compared = await ledger.reconcile(withoutFirst);
    expect(compared.breaks).toEqual({ missing_at_gateway: 1 });
  });

  test("stays missing if it is listed there in another currency", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later({ currency: "USD" })), onNext);
    const compared = await ledger.reconcile(withoutFirst);
    expect(compared.breaks).toEqual({ missing_at_gateway: 1 });
  });

  test("is missing again if the file that contained it is replaced", async () => {
    await ledger.reconcile(withoutFirst);
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later()), onNext);
    await ledger.reconcile(csvOf(nextRows).csv, onNext);
    expect(await ledger.unresolved()).toEqual([`${DAY.day} missing_at_gateway`]);
  });

  test("is missing if the file that had excused it is replaced", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later()), onNext);
    await ledger.reconcile(withoutFirst);
    await ledger.reconcile(csvOf(nextRows).csv, onNext);
    expect(await ledger.unresolved()).toEqual([`${DAY.day} missing_at_gateway`]);
  });
});

describe("a payout that is completed on two statements", () => {
  const twice = [`${DAY.day} listed_twice`, `${NEXT.day} listed_twice`];

  test("is listed twice on both days", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(csv);
    await ledger.reconcile(nextWith(later({ number: "WD777" })), onNext);
    expect(await ledger.unresolved()).toEqual([...twice, `${NEXT.day} gateway_number`].toSorted());
    const found = await findBreaks(ledger.database, { class: "listed_twice", limit: 2 });
    const others = found.map(({ statementShows }) => statementShows?.split("; ")[1]);
    expect(new Set(others)).toEqual(
      new Set([
        `also completed on the statement of 2026-11-26, ${first.number}`,
        "also completed on the statement of 2026-11-27, WD777",
      ]),
    );
  });

  test("is listed twice with one gateway number and two times", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later()), onNext);
    await ledger.reconcile(csv);
    expect(await ledger.unresolved()).toEqual(twice);
  });

  test.each(["first", "last"] as const)(
    "is listed twice if the statement that is compared %s has only its gateway number",
    async (order) => {
      await ledger.move(first.code, "settled", "2026-11-27T07:00Z");
      await ledger.change(`delete from transitions where at < '2026-11-27'
        and payout_id = (select payout_id from payout_details where transaction_code = '${first.code}')`);
      await ledger.addPayouts(NEXT);
      const onlyNumber = csvOf([{ ...first, code: "" }, ...rows.slice(1)]).csv;
      const compareOnlyNumber = () => ledger.reconcile(onlyNumber);
      const compareOnlyCode = () => ledger.reconcile(nextWith(later({ number: "" })), onNext);
      if (order === "first") await compareOnlyNumber();
      await compareOnlyCode();
      if (order === "last") await compareOnlyNumber();
      expect(await ledger.unresolved()).toEqual(twice);
    },
  );

  test("is not listed twice if both show one transaction", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(csv);
    await ledger.reconcile(nextWith(first), { ...onNext, outsideDay: 1 });
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("is no longer listed twice when the second file is replaced", async () => {
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(csv);
    await ledger.reconcile(nextWith(later()), onNext);
    await ledger.reconcile(csvOf(nextRows).csv, onNext);
    expect(await ledger.unresolved()).toEqual([]);
  });
});

describe("midnight", () => {
  const pending = csvOf([{ ...first, status: "Pending" }, ...rows.slice(1)]).csv;

  test.each([
    ["settled", "Completed"],
    ["declined", "Failed"],
  ] as const)("a pending payout that is %s after midnight agrees", async (state, status) => {
    await ledger.change(`update transitions set at = '2026-11-26T23:59Z', to_state = 'accepted'
      where payout_id = (select payout_id from payout_details where transaction_code = '${first.code}')`);
    await ledger.move(first.code, state, "2026-11-27T00:00Z");
    await ledger.addPayouts(NEXT);
    expect(await ledger.reconcile(pending)).toMatchObject({ breaks: {} });
    expect(await ledger.reconcile(nextWith(later({ status })), onNext)).toMatchObject({
      breaks: {},
    });
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("a pending payout that settled before midnight is a break until a later file lists it", async () => {
    expect((await ledger.reconcile(pending)).breaks).toEqual({ status: 1 });
    await ledger.addPayouts(NEXT);
    await ledger.reconcile(nextWith(later()), onNext);
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("a payout that the gateway completed before payrun knew it agrees", async () => {
    await ledger.change(`update transitions set at = '2026-11-27T00:01Z'
      where payout_id = (select payout_id from payout_details where transaction_code = '${first.code}')`);
    expect(await ledger.reconcile(csv)).toMatchObject({ breaks: {} });
    await ledger.addPayouts(NEXT);
    expect(await ledger.reconcile(csvOf(nextRows).csv, onNext)).toMatchObject({ breaks: {} });
  });
});
