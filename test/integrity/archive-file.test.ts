/** Archive files that are signed with the right key, but contain something else than they list. */
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  archiveManifestText,
  BATCHES,
  partName,
} from "#integrity/archive/manifest.ts";
import { openArchive, payoutsIn } from "#integrity/archive/read.ts";
import { ArchiveTotals } from "#integrity/archive/totals.ts";
import { ArchiveWriter } from "#integrity/evidence-pack/archive.ts";
import { MANIFEST, SIGNATURE } from "#integrity/evidence-pack/manifest.ts";
import { scratch } from "../support/servers/payrun.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const KEY = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
const folder = scratch();
let number = 0;

interface Content {
  /** Lines of each part: the ID and the amount of its payouts. */
  readonly parts: readonly (readonly (readonly [id: number, minor: string])[])[];
  readonly batchIds?: readonly string[];
  readonly change?: (manifest: ArchiveManifest) => ArchiveManifest;
  /** Replaces the text of the signed manifest. */
  readonly rewrite?: (text: string) => string;
}

const payout = ([id, minor]: readonly [number, string]) => ({
  id,
  batch_id: "B1",
  currency: "INR",
  state: "settled",
  amount_minor: minor,
  minor_digits: 2,
});

async function write({ parts, batchIds = ["B1"], change, rewrite }: Content): Promise<string> {
  const writer = new ArchiveWriter();
  const bytes: Buffer[] = [];
  const add = async (name: string, lines: readonly object[]) => {
    async function* text() {
      for (const line of lines) yield `${JSON.stringify(line)}\n`;
    }
    const pieces = writer.deflated({ name, content: text() });
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      bytes.push(value);
    }
  };
  const totals = new ArchiveTotals();
  const listed = [];
  for (const [index, rows] of parts.entries()) {
    const payouts = rows.map(payout);
    payouts.forEach((each) => totals.add(each));
    const file = await add(
      partName(index + 1),
      payouts.map((each) => ({ payout: each })),
    );
    const [first_id, last_id] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0];
    listed.push({ ...file, batch_id: "B1", first_id, last_id, payouts: rows.length });
  }
  const batches = await add(
    BATCHES,
    batchIds.map((id) => ({ batch: { id } })),
  );
  const whole: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    id: "AR1",
    ledger_id: "L1",
    created_at: "2026-01-01T00:00:00.000Z",
    until: "2026-01-01T00:00:00.000Z",
    log: { line: 1, root: "00" },
    totals: totals.list(),
    parts: listed,
    batches,
    archive: writer.written(),
    key: KEY,
  };
  const text = archiveManifestText(change?.(whole) ?? whole);
  const signed = Buffer.from(rewrite?.(text) ?? text);
  const signature = Buffer.from(`${sign(null, signed, privateKey).toString("hex")}\n`);
  bytes.push(...writer.stored(MANIFEST, signed), ...writer.stored(SIGNATURE, signature));
  bytes.push(writer.end());
  const path = join(folder, `${(number += 1)}.zip`);
  await writeFile(path, Buffer.concat(bytes));
  return path;
}

async function verified(content: Content): Promise<string> {
  const archive = await openArchive(await write(content), [KEY]);
  try {
    await archive.verify();
    return "valid";
  } finally {
    await archive.close();
  }
}

const TWO: Content = {
  parts: [
    [
      [1, "1050"],
      [2, "95"],
    ],
    [[5, "3"]],
  ],
};

test("a file is valid, and its parts can be read", async () => {
  expect(await verified(TWO)).toBe("valid");
  const archive = await openArchive(await write(TWO), ["00", KEY]);
  const { parts, totals } = archive.manifest;
  expect(parts.map(({ name }) => name)).toEqual(["payouts/000001.jsonl", "payouts/000002.jsonl"]);
  expect(totals).toEqual([{ currency: "INR", state: "settled", payouts: 3, amount: "11.48" }]);
  const texts = await Promise.all(parts.map((part) => archive.partText(part)));
  expect(payoutsIn(texts.join("")).map((each) => each.payout.id)).toEqual([1, 2, 5]);
  const batches: string[] = [];
  for await (const line of archive.batches()) batches.push(line);
  expect(batches).toEqual(['{"batch":{"id":"B1"}}']);
  await archive.close();
});

describe("a file is refused", () => {
  const part = (of: Partial<ArchiveManifest["parts"][number]>) => (manifest: ArchiveManifest) => ({
    ...manifest,
    parts: manifest.parts.map((each, index) => (index === 0 ? { ...each, ...of } : each)),
  });
  test.each<readonly [string, string, Content]>([
    [
      "whose payouts are not in order",
      "does not belong to",
      {
        parts: [
          [
            [2, "1"],
            [1, "1"],
          ],
        ],
      },
    ],
    [
      "with a payout of another batch",
      "does not belong to",
      { ...TWO, change: part({ batch_id: "B2" }) },
    ],
    [
      "with a payout before its first",
      "does not belong to",
      { ...TWO, change: part({ first_id: 2 }) },
    ],
    ["with a payout too few", "is not as listed", { ...TWO, change: part({ payouts: 3 }) }],
    ["with another last payout", "is not as listed", { ...TWO, change: part({ last_id: 3 }) }],
    ["without its batch", "is not as listed", { ...TWO, batchIds: ["B2"] }],
    [
      "with other totals",
      "the totals differ",
      { ...TWO, change: (whole) => ({ ...whole, totals: [] }) },
    ],
    [
      "of another size",
      "changed after it was signed",
      { ...TWO, change: (whole) => ({ ...whole, archive: { ...whole.archive, size: 1 } }) },
    ],
    [
      "of other bytes",
      "changed after it was signed",
      { ...TWO, change: (whole) => ({ ...whole, archive: { ...whole.archive, sha256: "00" } }) },
    ],
    [
      "of another format",
      "does not know its format",
      { ...TWO, change: (whole) => ({ ...whole, format: "payrun archive 2" as never }) },
    ],
    [
      "of another key",
      "signed with another key: 00",
      { ...TWO, change: (whole) => ({ ...whole, key: "00" }) },
    ],
    [
      "that lists too few parts",
      "lists other files",
      { ...TWO, change: (whole) => ({ ...whole, parts: whole.parts.slice(0, 1) }) },
    ],
    [
      "whose manifest has other spaces",
      "the manifest was rewritten",
      { ...TWO, rewrite: (text) => `${text} ` },
    ],
    ["whose manifest is no JSON", "JSON", { ...TWO, rewrite: () => "{" }],
  ])("%s", async (_what, why, content) => {
    await expect(verified(content)).rejects.toThrow(why);
  });

  test("that does not exist, with the error of the file system", async () => {
    await expect(openArchive(join(folder, "none.zip"), [KEY])).rejects.toThrow("ENOENT");
  });
});

test("totals are exact, by currency and state, whatever the digits of an amount", () => {
  const totals = new ArchiveTotals();
  const add = (currency: string, state: string, amount_minor: string, minor_digits: number) =>
    totals.add({ currency, state, amount_minor, minor_digits });
  add("JPY", "settled", "9007199254740993", 0);
  add("JPY", "settled", "1", 0);
  add("INR", "settled", "5", 2);
  add("INR", "settled", "1", 3);
  add("INR", "settled", "2", 1);
  add("INR", "declined", "100", 2);
  expect(totals.list()).toEqual([
    { currency: "INR", state: "declined", payouts: 1, amount: "1.00" },
    { currency: "INR", state: "settled", payouts: 3, amount: "0.251" },
    { currency: "JPY", state: "settled", payouts: 2, amount: "9007199254740994" },
  ]);
});
