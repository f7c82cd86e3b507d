import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problem } from "#intake/text/problems.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { correct } from "#flows/intake/correct.ts";
import { findingsOf, storedAsNumbers, rowsWithFindings } from "#ledger/intake/batch-findings.ts";
import { reportRows } from "#ledger/intake/batch-rows.ts";
import { correctBatch } from "#ledger/intake/correct.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { RejectedRow } from "#intake/row.ts";
import { zipOf } from "../../intake/workbook/archive.ts";
import { cell, GOOD, HEAD, PARTS, rowOf, sheetOf } from "../../intake/workbook/workbook-parts.ts";
import { openTestLedger, TEST_KEYRING, ingestFile, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());
const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference";
const row = (place: number, { amount = "100.00", ifsc = "HDFC0000001", name = "Asha Rao" } = {}) =>
  `U-${place},INR,${amount},${name},5010000000000${place},${ifsc},HDFC,HDFC Bank,ref`;
/** Lines 3 and 5 are wrong. */
const FILE = [
  HEADER,
  row(1),
  row(2, { ifsc: "HDFCO000001" }),
  row(3),
  row(4, { amount: "12.555", ifsc: "nothing" }),
  "",
].join("\n");

const bytesOf = (text: string) => () =>
  Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
const send = (batch: Batch, lines: readonly string[], header = `${HEADER},line,reason,hint`) =>
  correct(
    batch.id,
    { fileName: "repaired.csv", open: bytesOf([header, ...lines, ""].join("\n")), actor: "maker" },
    {
      ledger: open.ledger,
      keyring: TEST_KEYRING,
      rows: DEFAULT_ROW_SETTINGS,
      at: new Date("2026-11-21T09:00:00Z"),
    },
  );
const again = async (batch: Batch): Promise<Batch> => {
  const found = await open.ledger.payout.findBatch({ id: batch.id });
  if (!found) throw new Error("no batch");
  return found;
};
const report = async (batch: Batch) => {
  const rows = [];
  for await (const { line, state, cells } of reportRows(open.database, open.sealer, batch.id)) {
    rows.push([line, state, cells]);
  }
  return rows;
};
const everything = () =>
  Promise.all(
    ["batches", "batch_lanes", "payouts", "rejected_rows", "row_findings", "audit"].map((table) =>
      query(open.url, `select * from ${table} order by 1, 2, 3`),
    ),
  );

describe("corrected rows", () => {
  test("join their batch, which then has other totals and another digest", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    expect(batch).toMatchObject({ state: "needs_correction", rows: 4, rejected: 2 });

    const first = await send(batch, [`${row(2)},3,,`]);
    expect(first).toEqual({ ok: true, value: { kind: "corrected", rows: 1, corrected: 1 } });
    const halfway = await again(batch);
    expect(halfway).toMatchObject({ state: "needs_correction", rows: 4, rejected: 1 });
    expect(halfway.contentDigest).not.toBe(batch.contentDigest);
    expect(halfway.lanes).toMatchObject([{ rows: 3, total: { minor: 30_000n } }]);

    const second = await send(batch, [`${row(4, { amount: "12.50" })},5,,`]);
    expect(second).toEqual({ ok: true, value: { kind: "corrected", rows: 1, corrected: 1 } });
    const repaired = await again(batch);
    expect(repaired).toMatchObject({ state: "awaiting_approval", rows: 4, rejected: 0 });
    expect(repaired.lanes).toMatchObject([{ rows: 4, total: { minor: 31_250n } }]);
    const cells = (text: string) => text.split(",");
    expect(await report(batch)).toEqual([
      [2, "awaiting_approval", cells(row(1))],
      [3, "awaiting_approval", cells(row(2))],
      [4, "awaiting_approval", cells(row(3))],
      [5, "awaiting_approval", cells(row(4, { amount: "12.50" }))],
    ]);
    expect(await findingsOf(open.database, open.sealer, batch.id)).toEqual([]);
  });

  test("I7 void an earlier approval", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const seen = { actor: "checker", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
    await send(batch, [`${row(2)},3,,`, `${row(4)},5,,`]);
    expect(await approve(batch.id, seen, { ledger: open.ledger })).toMatchObject({ ok: false });
    expect((await again(batch)).state).toBe("awaiting_approval");
  });

  test("stay rejected with their current problems when they are still wrong", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    await send(batch, [`${row(2, { name: "=Asha" })},3,,`, `${row(4, { ifsc: "x" })},5,,`]);
    const findings = await findingsOf(open.database, open.sealer, batch.id);
    expect(findings.map(({ code, column, count, lines }) => [code, column, count, lines])).toEqual([
      ["bad_ifsc", "ifsc_code", 1, [5]],
      ["not_carried", "account_name", 1, [3]],
      ["name_starts_a_formula", "account_name", 1, [3]],
    ]);
    expect((await again(batch)).rejected).toBe(2);
  });

  test.each([
    ["a good row", [`${row(2)},3,,`, `${row(9)},2,,`], "line_not_rejected", 2],
    ["a row of a line that is not in the file", [`${row(2)},77,,`], "line_not_rejected", 77],
    ["a repeated line", [`${row(2)},3,,`, `${row(9)},3,,`], "line_not_rejected", 3],
    ["a row without its line", [`${row(2)},,,`], "line_missing", 2],
    ["a line that is not a number", [`${row(2)},1e3,,`], "line_missing", 2],
  ])("are refused, with every other row, next to %s", async (_what, lines, code, line) => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const before = await everything();
    const refused = await send(batch, lines);
    expect(refused).toMatchObject({ ok: false, error: [{ code, line }] });
    expect(await everything()).toEqual(before);
  });

  test("F09 leave no rows when the upload breaks off at any point", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const before = await everything();
    const wrong = (line: number): RejectedRow => ({
      kind: "rejected",
      line,
      cells: [],
      problems: [
        problem(
          "bad_ifsc",
          { line, column: "ifsc_code", found: "x" },
          { expected: "an IFSC", fault: "is too short" },
        ),
      ],
    });
    const correction = {
      batchId: batch.id,
      digest: "d",
      fileName: "f",
      actor: "m",
      edited: null,
      putsBack: false,
      at: new Date(),
    };
    const breaking = open.database.transaction().execute((transaction) =>
      correctBatch(transaction, open.sealer, correction, async (store) => {
        for (let line = 100; line < 110; line += 1) await store.addRejected([wrong(line)]);
        throw new Error("the line broke");
      }),
    );
    await expect(breaking).rejects.toThrow("the line broke");
    await open.database.selectFrom("batches").select("id").execute();
    expect(await everything()).toEqual(before);
  });

  test("need the line column", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const refused = await send(batch, [row(2)], HEADER);
    expect(refused).toMatchObject({ ok: false, error: [{ code: "line_column_missing" }] });
  });

  test("accept columns in any order, without formula marks", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const header =
      "line,reference,bank_name,bank_code,ifsc_code,bank_account_number,account_name,transaction_amount,currency_code,user_id";
    const line = "3,'-ref,HDFC Bank,HDFC,HDFC0000001,50100000000002,Asha Rao,100.00,INR,U-2";
    expect(await send(batch, [line], header)).toMatchObject({ ok: true });
    const wanted = [3, "awaiting_approval", [...row(2).split(",").slice(0, 8), "-ref"]];
    expect(await report(batch)).toContainEqual(wanted);
  });

  test("that may have shifted do not appear to be in place", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    // Nine cells, as many columns as the file has, but without the three of the rejects file.
    const cells = ["3", "U-2", "INR", "100.00", "50100000000002", "Asha Rao", "x", "y", "z"];
    const sent = await send(batch, [cells.join(",")], `line,${HEADER},reason,hint`);
    expect(sent).toMatchObject({ ok: true, value: { rows: 1, corrected: 0 } });
    const row = (await report(batch)).find(([line]) => line === 3);
    expect(row).toEqual([3, "rejected", [...cells, ""]]);
  });

  test("F88 that held numbers in their workbook still need a comparison", async () => {
    const account = '<c r="E2"><v>501000001234</v></c>';
    const wrong = rowOf(2, [...GOOD.slice(0, 5), "HDFCO000001", ...GOOD.slice(6)]);
    const cells = wrong.replace(cell("E2", "00501000001234"), account);
    const { batch } = await ingestFile(open.ledger, zipOf(...PARTS, sheetOf(HEAD, cells)));
    expect(await storedAsNumbers(open.database, batch.id)).toEqual([]);
    const repaired = "U-1,INR,100.00,Asha Rao,501000001234,HDFC0000001,HDFC,HDFC Bank,2,,";
    const header =
      "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,line,reason,hint";
    expect(await send(batch, [repaired], header)).toMatchObject({ value: { corrected: 1 } });
    expect(await storedAsNumbers(open.database, batch.id)).toEqual([
      { column: "bank_account_number", rows: 1 },
    ]);
  });

  test("are not added to amounts in another unit", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    await query(open.url, "update batch_lanes set minor_digits = 3");
    const before = await everything();
    await expect(send(batch, [`${row(2)},3,,`])).rejects.toThrow("in a different unit");
    expect(await everything()).toEqual(before);
  });

  test("apply once when uploaded twice", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const lines = [`${row(2)},3,,`];
    await Promise.all([send(batch, lines), send(batch, lines)]);
    expect(await send(batch, lines)).toEqual({ ok: true, value: { kind: "known" } });
    expect(await again(batch)).toMatchObject({ rejected: 1, lanes: [{ rows: 3 }] });
  });

  test("F77 are never also a batch of their own", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const text = [`${HEADER},line,reason,hint`, `${row(2)},3,,`, ""].join("\n");
    await send(batch, [`${row(2)},3,,`]);
    expect(await ingestFile(open.ledger, text)).toMatchObject({
      isNew: false,
      batch: { id: batch.id },
    });

    const { batch: other } = await ingestFile(open.ledger, text.replace("Asha", "Ravi"));
    const refused = await send(batch, [`${row(2, { name: "Ravi Rao" })},3,,`]);
    expect(refused).toEqual({ ok: true, value: { kind: "other_batch", batchId: other.id } });
  });

  test("are refused after the approval", async () => {
    const { batch } = await ingestFile(open.ledger, FILE);
    const { contentDigest } = batch;
    const approval = { actor: "checker", contentDigest, totals: totalsOf(batch) };
    await approve(batch.id, approval, { ledger: open.ledger, leaveOut: true });
    const refused = await send(batch, [`${row(2)},3,,`]);
    expect(refused).toEqual({ ok: true, value: { kind: "wrong_state", state: "approved" } });
  });
});

describe("findings", () => {
  test("are grouped by correction and fault, with an example and the rows, including good ones", async () => {
    const { batch } = await ingestFile(open.ledger, `${FILE}${row(3)}\n`);
    const findings = await findingsOf(open.database, open.sealer, batch.id);
    const groups = findings.map((each) => [each.severity, each.code, each.count, each.lines]);
    expect(groups).toEqual([
      ["error", "bad_ifsc", 1, [3]],
      ["error", "amount_too_many_decimals", 1, [5]],
      ["error", "bad_ifsc", 1, [5]],
      ["warning", "row_repeated", 1, [6]],
    ]);
    expect(findings[0]?.example).toMatchObject({ found: "HDFCO000001", column: "ifsc_code" });

    const wanted = { after: 0, limit: 10 };
    const shown = async (which: object) =>
      (await rowsWithFindings(open.database, open.sealer, batch.id, { ...wanted, ...which })).map(
        ({ line, isRejected }) => [line, isRejected],
      );
    expect(await shown({ severity: "error" })).toEqual([
      [3, true],
      [5, true],
    ]);
    expect(await shown({ after: 3 })).toEqual([
      [5, true],
      [6, false],
    ]);
    expect(await shown({ code: "row_repeated", column: "" })).toEqual([[6, false]]);
    expect(await shown({ limit: 1 })).toEqual([[3, true]]);
  });

  test("state no rule of another currency for a row, in groups and lists", async () => {
    const thb = "U-9,THB,12.555,Asha Rao,50100000000009,,6,KTB Net Bank,ref";
    const { batch } = await ingestFile(open.ledger, `${FILE}${thb}\n`);
    const findings = await findingsOf(open.database, open.sealer, batch.id);
    const decimals = findings.filter(({ code }) => code === "amount_too_many_decimals");
    expect(decimals.map(({ sentence, lines }) => [sentence, lines])).toEqual([
      ["The amount has more decimals than INR allows.", [5]],
      ["The amount has more decimals than THB allows.", [6]],
    ]);
    expect(decimals.map(({ example }) => example.message)).toEqual(
      decimals.map(({ sentence }) => sentence),
    );
    const ofThb = { code: "amount_too_many_decimals", sentence: decimals[1]?.sentence };
    const wanted = { ...ofThb, after: 0, limit: 10 };
    const rows = await rowsWithFindings(open.database, open.sealer, batch.id, wanted);
    expect(rows.map(({ line }) => line)).toEqual([6]);

    await send(batch, [`${row(4, { amount: "12.555" })},5,,`]);
    const still = await findingsOf(open.database, open.sealer, batch.id);
    expect(still.map(({ code, count, lines }) => [code, count, lines])).toEqual([
      ["bad_ifsc", 1, [3]],
      ["amount_too_many_decimals", 1, [5]],
      ["amount_too_many_decimals", 1, [6]],
    ]);
  });
});
