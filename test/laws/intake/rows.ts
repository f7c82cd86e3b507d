import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import type { Problem } from "#intake/text/problems.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { encodePayout } from "#gateway/requests.ts";
import { CURRENCIES } from "#money/currency.ts";
import { formatMoney } from "#money/format.ts";
import { DETAIL_FIELDS } from "#payout/payout.ts";
import { type Cells, EMPTY, GOOD } from "./good-rows.ts";
import { law } from "../base/law.ts";
import { merchant } from "../base/merchant.ts";

const PLACES = new Map(COLUMNS.map((column, place) => [column, place]));
const readRows = (rows: readonly Cells[], settings: Partial<RowSettings> = {}) => {
  const read = rowReader(COLUMNS, PLACES, { ...DEFAULT_ROW_SETTINGS, ...settings });
  return rows.map((row, i) =>
    read(
      COLUMNS.map((column) => row[column]),
      i + 2,
    ),
  );
};
const readOne = (row: Cells, settings?: Partial<RowSettings>): RowVerdict => {
  const [verdict] = readRows([row], settings);
  if (!verdict) throw new Error("one row, one verdict");
  return verdict;
};
const problemsOf = (verdict: RowVerdict | undefined): readonly Problem[] =>
  verdict?.kind === "draft" ? verdict.warnings : (verdict?.problems ?? []);
const codesOf = (verdict: RowVerdict | undefined) => problemsOf(verdict).map(({ code }) => code);

const good = fc.constantFrom(...GOOD);
const column = fc.constantFrom(...COLUMNS);
const carries = fc.constantFrom("raw" as const, "any" as const);

/** Cell contents from people, spreadsheets and fuzzers. */
const cellText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    "1.23E+11",
    "2026-01-05",
    "100.00",
    "&",
    "=1",
    "toString",
    "__proto__",
    "João",
    "\u202egnp",
    "A&B",
  ),
  fc.constantFrom(...Object.keys(CURRENCIES), "USDT"),
);
/** A row that is valid except for some cells, or is only noise. */
const anyRow: fc.Arbitrary<Cells> = fc
  .tuple(
    good,
    fc.dictionary(column, cellText, { maxKeys: 4 }),
    fc.boolean(),
    fc.array(cellText, { minLength: COLUMNS.length, maxLength: COLUMNS.length }),
  )
  .map(([row, changes, noise, texts]) =>
    noise
      ? (Object.fromEntries(COLUMNS.map((name, i) => [name, texts[i] ?? ""])) as Cells)
      : { ...row, ...changes },
  );

const trimmed = (text: string) => text.replace(/^[ \u00a0]+|[ \u00a0]+$/g, "");

/** A mistake in each column, and the one problem that reports it. */
const MISTAKES = {
  user_id: ["", "value_missing"],
  currency_code: ["XXX", "currency_unknown"],
  transaction_amount: ["1.23E+11", "amount_scientific"],
  account_name: ["Asha\u200b", "invisible_character"],
  bank_account_number: ["12345.0", "trailing_point_zero"],
  transaction_code: ["a b", "bad_transaction_code"],
  payout_code: ["?", "bad_payout_code"],
  callback_url: ["ftp://example.com", "bad_callback_url"],
  reference: ["a\u0007b", "control_character"],
} as const satisfies Partial<Record<Column, readonly [string, string]>>;
const mistakes = fc.subarray(Object.keys(MISTAKES) as (keyof typeof MISTAKES)[], { minLength: 1 });

/** Invisible characters: controls, direction marks, breaks, surrogate halves and non-characters. */
const HIDDEN_SIGN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;
const HIDDEN = [
  "\u0000",
  "\u0007",
  "\u001b",
  "\u0085",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2028",
  "\ufeff",
  "\ue000",
  "\udc00",
  "\u034f",
  "\u2800",
  "\u3164",
  "\ufe0f",
];

export const ROW_LAWS = [
  law(
    "a row is a draft without an error or rejected with at least one: never both, never neither",
    fc.tuple(anyRow, carries),
    ([row, layout]) => {
      const verdict = readOne(row, { carries: layout });
      const errors = problemsOf(verdict).filter(({ severity }) => severity === "error");
      equal(errors.length > 0, verdict.kind === "rejected");
    },
  ),
  law(
    "every problem has a location, an expected value, a correction and a message",
    anyRow,
    (row) => {
      for (const { code, line, column: name, found, expected, correction, message } of problemsOf(
        readOne(row),
      )) {
        ok(/^[a-z_]+$/.test(code) && line === 2);
        ok(name === null || (COLUMNS as readonly string[]).includes(name));
        ok(found === null || !HIDDEN_SIGN.test(found));
        for (const text of [expected, correction, message]) {
          ok(text.length > 3 && !/\{\w+\}|undefined|\[object/.test(text), text);
        }
        ok(/[.]$/.test(message) && /[.]$/.test(correction));
      }
    },
  ),
  law("each mistake of a row is reported, whatever its other mistakes", mistakes, (columns) => {
    const wrong = Object.fromEntries(columns.map((name) => [name, MISTAKES[name][0]]));
    const found = problemsOf(readOne({ ...(GOOD[0] ?? EMPTY), ...wrong }));
    deepEqual(
      found.map(({ column: name, code }) => `${name} ${code}`).toSorted(),
      columns.map((name) => `${name} ${MISTAKES[name][1]}`).toSorted(),
    );
  }),
  law("a draft pays exactly what the cell says", anyRow, (row) => {
    const verdict = readOne(row);
    fc.pre(verdict.kind === "draft");
    if (verdict.kind !== "draft") return;
    const { money } = verdict.draft;
    const [whole = "", fraction = ""] = trimmed(row.transaction_amount).split(".");
    const written = fraction.padEnd(money.minorDigits, "0");
    equal(formatMoney(money), written === "" ? whole : `${whole}.${written}`);
    equal(money.currency, trimmed(row.currency_code));
  }),
  law(
    "a draft sends what the cells say: trimmed, composed, with plain blanks, without additions",
    anyRow,
    (row) => {
      const verdict = readOne(row, { carries: "any" });
      fc.pre(verdict.kind === "draft");
      if (verdict.kind !== "draft") return;
      for (const field of DETAIL_FIELDS) {
        const sent: string | undefined = verdict.draft.details[field];
        const said = trimmed(row[field]);
        const name = said.replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f]/g, " ").normalize("NFC");
        if (sent !== undefined) equal(sent, field.endsWith("_name") ? name : said);
      }
    },
  ),
  law(
    "every draft can be encoded by the layout that it was checked for (I10)",
    fc.tuple(anyRow, carries),
    ([row, layout]) => {
      const verdict = readOne(row, { carries: layout });
      fc.pre(verdict.kind === "draft");
      if (verdict.kind !== "draft") return;
      const order = { ...verdict.draft, transactionCode: verdict.draft.transactionCode ?? "PR1" };
      const settings =
        layout === "raw"
          ? [{ layout: "name=value", escaping: "none" }]
          : [
              { layout: "json", escaping: "none" },
              { layout: "name=value", escaping: "percent" },
            ];
      for (const each of settings as Parameters<typeof encodePayout>[3][]) {
        deepEqual(encodePayout(order, merchant, 1, each).ok, true);
      }
    },
  ),
  law(
    "blanks around the cells change nothing",
    fc.tuple(anyRow, fc.stringMatching(/^[ \u00a0]{0,3}$/), fc.stringMatching(/^[ \u00a0]{0,3}$/)),
    ([row, before, after]) => {
      // A NUL is shown with the whole cell, and the row is not examined further.
      fc.pre(!Object.values(row).join("").includes("\0"));
      const padded = Object.fromEntries(
        COLUMNS.map((name) => [name, before + row[name] + after]),
      ) as Cells;
      const [plain, other] = [readOne(row), readOne(padded)];
      deepEqual(problemsOf(other), problemsOf(plain));
      deepEqual(other.kind === "draft" && other.draft, plain.kind === "draft" && plain.draft);
    },
  ),
  law(
    "an invisible character is refused in every cell (F84, F89)",
    fc.tuple(good, column, fc.constantFrom(...HIDDEN), fc.nat()),
    ([row, name, hidden, pick]) => {
      const at = row[name].length === 0 ? 0 : pick % row[name].length;
      const isCarried = row[name] !== "" || !(DETAIL_FIELDS as readonly string[]).includes(name);
      fc.pre(isCarried);
      equal(
        readOne({ ...row, [name]: `${row[name].slice(0, at)}${hidden}${row[name].slice(at)}x` })
          .kind,
        "rejected",
      );
    },
  ),
  law(
    "a currency that is not in the table is refused, whatever its name",
    fc.tuple(
      good,
      fc.oneof(cellText, fc.constantFrom("inr", "INRR", "constructor", "hasOwnProperty")),
    ),
    ([row, currency]) => {
      fc.pre(!Object.hasOwn(CURRENCIES, trimmed(currency)) && trimmed(currency) !== "USDT");
      equal(readOne({ ...row, currency_code: currency }).kind, "rejected");
    },
  ),
  law(
    "a limit is the largest accepted amount (F92)",
    fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(-5n, 5n)),
    ([limit, off]) => {
      fc.pre(limit + off > 0n);
      const amount = formatMoney({ currency: "INR", minor: limit + off, minorDigits: 2 });
      const row = { ...(GOOD[0] ?? EMPTY), transaction_amount: amount };
      deepEqual(
        codesOf(readOne(row, { amountLimits: new Map([["INR", limit]]) })),
        off > 0n ? ["amount_above_limit"] : [],
      );
    },
  ),
  law(
    "a repeated payout is a warning, a repeated code an error, and both name the first line",
    fc.tuple(good, fc.nat(5)),
    ([row, between]) => {
      const others = Array.from({ length: between }, (_, i) => ({
        ...row,
        transaction_amount: `${i + 1}`,
        transaction_code: `C-${i}`,
      }));
      const coded = { ...row, transaction_code: "MINE" };
      const verdicts = readRows([coded, ...others, coded]);
      const found = problemsOf(verdicts.at(-1));
      deepEqual(
        found.map(({ code }) => code),
        ["transaction_code_repeated", "row_repeated"],
      );
      ok(found.every(({ message }) => message.toLowerCase().includes("line 2")));
      deepEqual(verdicts.slice(0, -1).flatMap(codesOf), []);
    },
  ),
  law(
    "a row with too few or too many cells is reported as such, without guesses about its cells (F81)",
    fc.tuple(good, fc.integer({ min: 1, max: 5 }), fc.boolean()),
    ([row, count, isMore]) => {
      const cells = COLUMNS.map((name) => row[name]);
      const changed = isMore
        ? [...cells, ...Array.from({ length: count }, () => "x")]
        : cells.slice(0, -count);
      const verdict = rowReader(COLUMNS, PLACES, DEFAULT_ROW_SETTINGS)(changed, 9);
      deepEqual(codesOf(verdict), [isMore ? "row_too_long" : "row_too_short"]);
      equal(verdict.kind, "rejected");
    },
  ),
  law("no NUL reaches the stored row (F84)", anyRow, (row) => {
    ok(!readOne(row).cells.join("").includes("\0"));
  }),
  law(
    "a name that a spreadsheet would run is refused (F87)",
    fc.tuple(good, fc.constantFrom("=", "+", "-", "@")),
    ([row, sign]) => {
      const verdict = readOne(
        { ...row, account_name: `${sign}${row.account_name}` },
        { carries: "any" },
      );
      equal(verdict.kind, "rejected");
      ok(codesOf(verdict).includes("name_starts_a_formula"));
    },
  ),
];
