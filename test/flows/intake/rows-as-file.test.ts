import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { rowsAsFile } from "#flows/intake/rows-as-file.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { approvedBatch, openTestLedger, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

test("F29 ends only the reading of a batch's rows, with the database's error", async () => {
  const open = await openTestLedger();
  onTestFinished(() => open.close());
  const batch = await approvedBatch(open.ledger, rowsOf(3));
  const read = async (ledger = open.ledger) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of rowsAsFile(ledger, batch, "codes kept")) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  expect((await read()).split("\n")).toHaveLength(5);
  const away = openDatabase("postgres://nobody@127.0.0.1:1/none");
  onTestFinished(() => away.destroy());
  const ledger = createLedger(away, open.sealer, systemClock);
  await expect(read(ledger)).rejects.toThrow("ECONNREFUSED");
});

test("leaves out the codes, whatever their column is called in the file", async () => {
  const open = await openTestLedger();
  onTestFinished(() => open.close());
  const text = fileText([{ code: "own-1" }]).replace("transaction_code", "Transaction Code");
  const { batch } = await ingestFile(open.ledger, text);
  const read = async (codes: "codes kept" | "new codes") => {
    const pieces: Uint8Array[] = [];
    for await (const piece of rowsAsFile(open.ledger, batch, codes)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  const [, row = ""] = (await read("codes kept")).split("\n");
  const at = text.split("\n")[0]?.split(",").indexOf("Transaction Code") ?? -1;
  expect(row.split(",")[at]).not.toBe("");
  const [, bare = ""] = (await read("new codes")).split("\n");
  expect(bare.split(",")).toEqual(row.split(",").with(at, ""));
});
