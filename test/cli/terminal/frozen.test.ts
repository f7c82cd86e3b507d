import { expect, test } from "vitest";
import {
  findingLines,
  frozenAdviceText,
  frozenRiskText,
  frozenText,
} from "#cli/terminal/frozen.ts";
import type { Freeze } from "#ledger/ledger.ts";

const held = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    transactionCode: `PR${place}`,
    batchId: "BA1",
    reason: "not_queried",
  }));
const NO_STRAYS = { strayCodes: [], strayCount: 0 };

test("F26 counts the payouts on hold that are not shown", () => {
  const lines = findingLines({ held: held(20), heldCount: 63, ...NO_STRAYS });
  expect(lines[0]).toBe("63 payouts have been put on hold since the freeze:");
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe("  and 43 more; see the Failures page or payrun export");
});

test("F26 adds nothing when all are shown", () => {
  expect(findingLines({ held: held(1), heldCount: 1, ...NO_STRAYS })).toEqual([
    "1 payout has been put on hold since the freeze:",
    expect.stringMatching(/^ {2}PR0 {2}batch BA1 {2}\S/),
  ]);
  expect(findingLines({ held: [], heldCount: 0, ...NO_STRAYS })).toEqual([
    "No payouts have been put on hold since the freeze.",
  ]);
});

test("F73 names codes missing from the ledger, and says that there are more", () => {
  const strays = { strayCodes: ["LOST-1", "LOST-2"], strayCount: 3 };
  expect(findingLines({ held: [], heldCount: 0, ...strays }).at(-1)).toMatch(
    /^Since the freeze, callbacks have contained 3 transaction codes .*: LOST-1, LOST-2, …$/,
  );
});

const SINCE = new Date("2026-11-01T10:00:00Z");

test.each<[Freeze["cause"], Date | null, RegExp, RegExp, RegExp]>([
  [
    "frozen",
    SINCE,
    /^The ledger has been frozen/,
    /payrun unfreeze/,
    /paid twice|beneficiaries twice/,
  ],
  ["other_epoch", null, /^This process is not sending/, /^set LEDGER_EPOCH=3/, /^Set LEDGER_EPOCH/],
  ["removed_standby", null, /^This process is not sending/, /^wait, or name/, /^Wait, or name/],
])("advises by the cause %s, whatever the reason says", (cause, since, found, advice, risk) => {
  const freeze = { epoch: 3, cause, reason: "LEDGER_EPOCH is mentioned", since };
  expect(frozenText(freeze)).toMatch(found);
  expect(frozenAdviceText(freeze, [])).toMatch(advice);
  expect(frozenRiskText(freeze, [])).toMatch(risk);
});
