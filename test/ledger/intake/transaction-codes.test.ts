import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { correct } from "#flows/intake/correct.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { rowCodes } from "#ledger/intake/transaction-codes.ts";
import { createSealer, rotatedRing } from "#ledger/store/sealing.ts";
import { Secret } from "#base/secret.ts";
import { openTestLedger, ingestFile, TEST_KEYRING, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const open: TestLedger[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((ledger) => ledger.close()));
});

/**
 * An empty ledger. With `id`, the id of another ledger: the result of a restore to an early backup.
 */
async function emptyLedger(id?: string): Promise<TestLedger & { readonly id: string }> {
  const ledger = await openTestLedger();
  open.push(ledger);
  await ledgerIdOf(ledger.database);
  if (id !== undefined) await query(ledger.url, `update epoch set ledger_id = '${id}'`);
  return { ...ledger, id: await ledgerIdOf(ledger.database) };
}

const codesIn = async ({ url }: TestLedger) =>
  Object.fromEntries(
    (
      await query<{ line: number; code: string }>(
        url,
        "select p.line, d.transaction_code as code from payouts p join payout_details d on d.payout_id = p.id",
      )
    ).map(({ line, code }) => [line, code]),
  );

const bytesOf = (text: string) => () =>
  Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
const SETTINGS = { keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS };

describe("the codes of a file", () => {
  test("F26 are the same in a ledger that has forgotten it, and different in any other ledger", async () => {
    const text = fileText(rowsOf(50));
    const before = await emptyLedger();
    await ingestFile(before.ledger, text);
    const codes = await codesIn(before);
    expect(new Set(Object.values(codes)).size).toBe(50);

    const restored = await emptyLedger(before.id);
    await ingestFile(restored.ledger, text);
    expect(await codesIn(restored)).toEqual(codes);

    const other = await emptyLedger();
    await ingestFile(other.ledger, text);
    const shared = Object.values(await codesIn(other)).filter((code) =>
      Object.values(codes).includes(code),
    );
    expect(shared).toEqual([]);
  });

  test("are different for every other file, whatever it changes", async () => {
    const { ledger, url } = await emptyLedger();
    const text = fileText(rowsOf(20));
    for (const other of [text, text.replaceAll("\n", "\r\n"), `\uFEFF${text}`]) {
      await ingestFile(ledger, other);
    }
    const [found] = await query<{ n: number }>(
      url,
      "select count(distinct transaction_code)::int as n from payout_details",
    );
    expect(found?.n).toBe(60);
  });

  test("F26 are the same for rows corrected in the same way, whatever the file", async () => {
    const header =
      "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
    const row = (ifsc: string, name = "Asha Rao") =>
      `U-1,INR,100.00,${name},501000000001,${ifsc},HDFC,HDFC Bank`;
    const text = [header, row("HDFC0000001"), row("wrong"), row("wrong"), ""].join("\n");
    const repaired = async (lines: readonly string[], id?: string) => {
      const ledger = await emptyLedger(id);
      const { batch } = await ingestFile(ledger.ledger, text);
      const file = [`${header},line`, ...lines, ""].join("\n");
      const upload = { fileName: "repaired.csv", open: bytesOf(file), actor: "maker" };
      const deps = { ...SETTINGS, ...ledger, at: new Date() };
      expect(await correct(batch.id, upload, deps)).toMatchObject({ ok: true });
      return { id: ledger.id, codes: await codesIn(ledger) };
    };
    const good = row("HDFC0000001");
    const { id, codes } = await repaired([`${good},3`, `${good},4`]);
    expect(new Set(Object.values(codes)).size).toBe(3);

    const sorted = await repaired([`${good},4`, `${good},3`], id);
    expect(sorted.codes).toEqual(codes);

    const otherwise = await repaired([`${good},3`, `${row("HDFC0000001", "Asha R")},4`], id);
    expect(otherwise.codes[3]).toBe(codes[3]);
    expect(otherwise.codes[4]).not.toBe(codes[4]);
  });

  test("F26 follow the rows of a schedule's occurrence, not their lines", async () => {
    const [header = "", ...rows] = fileText(rowsOf(6)).trimEnd().split("\n");
    const [first = "", second = "", ...rest] = rows;
    const occurrence = async (list: readonly string[], id?: string) => {
      const ledger = await emptyLedger(id);
      const text = `${[header, ...list].join("\n")}\n`;
      const upload = { fileName: "salaries.csv", open: bytesOf(text), actor: "maker" };
      const deps = { ...SETTINGS, ledger: ledger.ledger };
      const made = await ingest({ ...upload, identity: "0a".repeat(32) }, deps);
      expect(made).toMatchObject({ ok: true });
      return { id: ledger.id, codes: Object.values(await codesIn(ledger)) };
    };
    // Two equal rows are two payouts, as everywhere.
    const { id, codes } = await occurrence([second, first, first, ...rest]);
    expect(new Set(codes).size).toBe(7);
    const later = await occurrence([first, first, ...rest], id);
    expect(later.codes).toEqual(codes.slice(1));
  });

  test("F97 reject rows whose code is already in another file, and name the location", async () => {
    const text = fileText(rowsOf(3));
    const before = await emptyLedger();
    await ingestFile(before.ledger, text);
    const codes = await codesIn(before);

    const restored = await emptyLedger(before.id);
    const reported = rowsOf(1, () => ({ code: codes[3] ?? "" }));
    const { batch: report } = await ingestFile(restored.ledger, fileText(reported));
    const { batch, problems } = await ingestFile(restored.ledger, text);
    expect(batch).toMatchObject({ rows: 3, rejected: 1 });
    expect(problems).toMatchObject([
      {
        code: "transaction_code_in_use",
        line: 3,
        found: codes[3],
        message: expect.stringContaining(report.id),
      },
    ]);
  });
});

test("keeps the codes of a file when the key is rotated", () => {
  const [first, second] = ["5f", "60"].map((byte) => new Secret(byte.repeat(32)));
  if (!first || !second) throw new Error("two keys");
  const source = { ledgerId: "L", digest: "d" };
  const row = { line: 2, cells: ["U-1"] };
  const code = rowCodes(createSealer(first).codeDigest, source)(row);
  const ring = rotatedRing(first, null, second);
  expect(rowCodes(createSealer(second, ring).codeDigest, source)(row)).toBe(code);
  expect(rowCodes(createSealer(second).codeDigest, source)(row)).not.toBe(code);
});
