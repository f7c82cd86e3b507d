import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { reportRows } from "#ledger/intake/batch-rows.ts";
import { findPayoutHistory } from "#ledger/payout/payout-history.ts";
import {
  approvedBatch,
  claimOf,
  openTestLedger,
  TEST_KEYRING,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, ROOT, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const TABLES = [
  "batches",
  "batch_lanes",
  "payouts",
  "payout_details",
  "rejected_rows",
  "audit",
] as const;
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (table) => {
        const [row] = await query<{ n: number }>(
          open.url,
          `select count(*)::int as n from ${table}`,
        );
        return [table, row?.n];
      }),
    ),
  ) as Record<(typeof TABLES)[number], number>;
const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

const settings = () => ({
  ledger: open.ledger,
  keyring: TEST_KEYRING,
  rows: DEFAULT_ROW_SETTINGS,
});
const upload = (pieces: () => Iterable<Buffer>) => ({
  fileName: "f.csv",
  open: () => Readable.from(pieces()) as AsyncIterable<Uint8Array>,
  actor: "maker",
});

describe("ingest", () => {
  test("F78 creates one batch from the same file ten times concurrently", async () => {
    const text = fileText(rowsOf(300));
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => ingestFile(open.ledger, text)),
    );
    expect(new Set(taken.map(({ batch }) => batch.id)).size).toBe(1);
    expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await counts()).toMatchObject({
      batches: 1,
      payouts: 300,
      payout_details: 300,
      audit: 1,
    });
  });

  test("F09 stores no part of a file that breaks off or changes while it is read", async () => {
    const text = fileText(rowsOf(5_000));
    const broken = await ingest(
      upload(() => [Buffer.from(`${text}U,INR,1.00,"Asha`)]),
      settings(),
    );
    expect(broken.ok).toBe(false);

    let reads = 0;
    const changing = upload(() => [
      Buffer.from(text),
      Buffer.from(reads++ === 0 ? "" : text.split("\n").slice(1, 3).join("\n")),
    ]);
    await expect(ingest(changing, settings())).rejects.toThrow("changed while it was being read");

    const dying = upload(function* () {
      yield Buffer.from(text.slice(0, text.length / 2));
      throw new Error("disk gone");
    });
    await expect(ingest(dying, settings())).rejects.toThrow("disk gone");
    expect(await counts()).toEqual(NOTHING);
  });

  test("I3 stores the rows and sums of the file unchanged", async () => {
    const rows = rowsOf(50, (index) => ({
      amount: `${index + 1}.07`,
      currency: index % 5 ? "INR" : "THB",
    }));
    const { batch } = await ingestFile(open.ledger, fileText(rows));
    expect(batch).toMatchObject({ state: "awaiting_approval", rows: 50, rejected: 0 });
    const [sum] = await query<{ sum: string }>(open.url, "select sum(amount_minor) from payouts");
    expect(Number(sum?.sum)).toBe(50 * 7 + 100 * ((50 * 51) / 2));
    expect(batch.lanes.reduce((all, { total }) => all + total.minor, 0n)).toBe(
      BigInt(sum?.sum ?? 0),
    );
  });

  test("F97 reports an own code used in another file as a problem of that row only", async () => {
    const first = await ingestFile(open.ledger, fileText([{ code: "OWN-1" }, { code: "OWN-2" }]));
    const second = await ingestFile(open.ledger, fileText([{ code: "OWN-3" }, { code: "OWN-2" }]));
    expect(second.batch).toMatchObject({ state: "needs_correction", rows: 2, rejected: 1 });
    const errors = second.problems.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ code: "transaction_code_in_use", line: 3 }]);
    expect(second.problems[0]?.message).toContain(first.batch.id);
  });

  test("F79 warns of the same payments in another file, each with its location", async () => {
    const people = rowsOf(3, (index) => ({
      amount: `${7_000 + index}.00`,
      account: String(60_200_000_000 + index),
    }));
    const first = await ingestFile(open.ledger, fileText(people));
    const again = await ingestFile(
      open.ledger,
      fileText([...people, { amount: "1.23" }].toReversed()),
    );
    const repeated = again.problems.filter(({ code }) => code === "paid_lately");
    expect(again.batch.state).toBe("awaiting_approval");
    expect(repeated.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(repeated[0]?.message).toContain(`line 4 of batch ${first.batch.id}`);
    expect(first.problems).toEqual([]);
  });

  test("F97 gives an own code to one of two concurrent files, and reports it to the other", async () => {
    const taken = await Promise.allSettled([
      ingestFile(open.ledger, fileText([{ code: "SAME-1" }])),
      ingestFile(open.ledger, fileText([{ code: "SAME-1" }])),
    ]);
    const states = taken.map((each) =>
      each.status === "fulfilled" ? each.value.batch.state : String(each.reason),
    );
    expect(states.toSorted((a, b) => a.localeCompare(b))).toEqual([
      "awaiting_approval",
      "needs_correction",
    ]);
  });

  test("F54 mints codes of 18 characters with one prefix, upper-case letters and digits", async () => {
    await ingestFile(open.ledger, fileText(rowsOf(200)));
    const rows = await query<{ transaction_code: string }>(
      open.url,
      "select transaction_code from payout_details",
    );
    const codes = rows.map((row) => row.transaction_code);
    expect(new Set(codes).size).toBe(200);
    expect(codes.filter((code) => !/^PR[0-9A-Z]{18}$/.test(code))).toEqual([]);
  });
});

describe("the report", () => {
  test("contains every row of the file in line order, good and rejected", async () => {
    const text = fileText(
      rowsOf(6, (index) => (index % 2 ? { amount: "-1" } : { amount: "5.00" })),
    );
    const { batch } = await ingestFile(open.ledger, text);
    const rows: unknown[] = [];
    for await (const { line, state, cells } of reportRows(open.database, open.sealer, batch.id)) {
      rows.push([line, state, cells[2]]);
    }
    expect(rows).toEqual([
      [2, "awaiting_approval", "5.00"],
      [3, "rejected", "-1"],
      [4, "awaiting_approval", "5.00"],
      [5, "rejected", "-1"],
      [6, "awaiting_approval", "5.00"],
      [7, "rejected", "-1"],
    ]);
  });

  test("masks the account in a payout's history except the last four", async () => {
    const { id } = await approvedBatch(open.ledger, [{ account: "50100098765432" }]);
    const [attempt] = await open.ledger.payout.openAttempts(claimOf(id));
    const code = attempt?.order.transactionCode ?? "";
    const story = await findPayoutHistory(open.database, open.sealer, code);
    expect(story?.beneficiary["bank_account_number"]).toBe("••••••••••5432");
    expect(
      JSON.stringify(story, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toContain("50100098765432");
  });
});

describe("I14 stored data", () => {
  test.each(["mixed.csv", "mistakes.csv"])(
    "contains no beneficiary of samples/%s in clear text",
    async (sample) => {
      const text = readFileSync(join(ROOT, "samples", sample), "utf8");
      await ingestFile(open.ledger, text);
      const header = (text.split("\n")[0] ?? "").split(",");
      const column = header.indexOf("bank_account_number");
      const accounts = text
        .split("\n")
        .slice(1)
        .flatMap((line) => [line.split(",")[column] ?? "", ...(line.match(/\d{9,}/g) ?? [])])
        .filter((value) => /^[0-9]{8,}$/.test(value));
      expect(accounts.length).toBeGreaterThan(5);

      const stored = await everything(open.url);
      expect(accounts.filter((account) => stored.includes(account))).toEqual([]);
      const names = ["Asha Verma", "Agus Wijaya", "Divya Menon"].filter((name) =>
        text.includes(name),
      );
      expect(names.filter((name) => stored.includes(name))).toEqual([]);
    },
  );
});

/** Every column of every row of every table, as text; encrypted bytes as characters. */
async function everything(url: string): Promise<string> {
  const tables = await query<{ name: string }>(
    url,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'payrun%'",
  );
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query(url, `select * from ${name}`);
      return rows.flatMap((row) =>
        Object.values(row).map((value) =>
          Buffer.isBuffer(value) ? value.toString("latin1") : JSON.stringify(value),
        ),
      );
    }),
  );
  return parts.flat().join("\n");
}
