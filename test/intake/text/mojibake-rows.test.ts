import { describe, expect, test } from "vitest";
import { allProblems, inChunks, readFile, readSample } from "../../support/samples.ts";

/**
 * Ways in which people and programs damage a file, and the problem that payrun reports for each.
 */
// biome-ignore format: the columns are the point
const SPOILT = [
  { covers: "F80", sample: "ugly/broken-utf-8",     code: "encoding_invalid" },
  { covers: "F80", sample: "ugly/mixed-encodings",  code: "encoding_invalid" },
  { covers: "F80", sample: "ugly/windows-874",      code: "encoding_doubtful" },
  { covers: "F80", sample: "mistakes",              code: "lost_character" },
  { covers: "F81", sample: "mistakes",              code: "row_too_short" },
  { covers: "F81", sample: "mistakes",              code: "row_is_padding" },
  { covers: "F83", sample: "ugly/unbalanced-quote", code: "quote_unbalanced" },
  { covers: "F84", sample: "mistakes",              code: "nul_character" },
  { covers: "F84", sample: "mistakes",              code: "control_character" },
  { covers: "F85", sample: "ugly/too-large",        code: "file_too_large" },
  { covers: "F85", sample: "ugly/too-many-rows",    code: "rows_too_many" },
  { covers: "F85", sample: "ugly/too-many-columns", code: "columns_too_many" },
  { covers: "F85", sample: "ugly/record-too-large", code: "record_too_large" },
  { covers: "F86", sample: "ugly/spreadsheet",      code: "workbook_broken" },
  { covers: "F86", sample: "ugly/pdf",              code: "file_not_text" },
  { covers: "F87", sample: "mistakes",              code: "name_starts_a_formula" },
  { covers: "F88", sample: "mistakes",              code: "scientific_notation" },
  { covers: "F88", sample: "mistakes",              code: "lost_leading_zeros" },
  { covers: "F88", sample: "mistakes",              code: "turned_into_date" },
  { covers: "F88", sample: "mistakes",              code: "error_value" },
  { covers: "F89", sample: "mistakes",              code: "invisible_character" },
  { covers: "F89", sample: "mistakes",              code: "joiner_not_carried" },
  { covers: "F90", sample: "mistakes",              code: "not_carried" },
  { covers: "F91", sample: "mistakes",              code: "amount_separators" },
  { covers: "F91", sample: "mistakes",              code: "amount_foreign_digits" },
  { covers: "F92", sample: "mistakes",              code: "amount_zero" },
  { covers: "F92", sample: "mistakes",              code: "amount_negative" },
  { covers: "F92", sample: "mistakes",              code: "amount_too_many_decimals" },
  { covers: "F95", sample: "mistakes",              code: "account_without_digits" },
  { covers: "F96", sample: "ugly/title-above",      code: "header_further_down" },
  { covers: "F96", sample: "ugly/rows-in-quotes",   code: "header_in_quotes" },
  { covers: "F96", sample: "ugly/duplicate-header", code: "column_twice" },
] as const;

describe("a damaged file", () => {
  test.each(SPOILT)(
    "samples/$sample: keeps every row with $code from being paid",
    async (spoilt) => {
      const read = await readSample(spoilt.sample);
      const found = allProblems(read).filter(({ code }) => code === spoilt.code);
      expect(found.length).toBeGreaterThan(0);
      const rejected = new Set(
        read.verdicts.flatMap(({ kind, line }) => (kind === "rejected" ? [line] : [])),
      );
      for (const { line, severity } of found) {
        expect(severity).toBe("error");
        expect(read.refused || (line !== null && rejected.has(line))).toBe(true);
      }
    },
  );
});

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const ROW = [
  "U-1",
  "INR",
  "100.00",
  "Asha Verma",
  "50100012345678",
  "HDFC0000001",
  "HDFC",
  "HDFC Bank",
];

test.each([
  ["amount", 2, "account number", 4],
  ["amount", 2, "name", 3],
  ["account number", 4, "IFSC", 5],
  ["currency", 1, "amount", 2],
] as const)(
  "F95 does not pay rows with %s (%i) and %s (%i) swapped",
  async (_a, one, _b, other) => {
    const mixed = ROW.map((value, at) => {
      if (at === one) return ROW[other];
      return at === other ? ROW[one] : value;
    });
    const read = await readFile(
      inChunks(Buffer.from(`${HEADER}\n${ROW.join(",")}\n${mixed.join(",")}\n`)),
    );
    expect(read.verdicts.map(({ kind }) => kind)).toEqual(["draft", "rejected"]);
  },
);
