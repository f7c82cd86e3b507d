import { useState } from "react";
import { CheckedInput } from "../../../components/forms/amount-input.tsx";
import { messages } from "./messages.tsx";
import { readExpectedRows, readExpectedSums } from "./read-expected-totals.ts";
import type { FileFindings } from "./queries.ts";

const texts = messages.expected;

/** The two fields for the expected rows and totals, and their values for the API. */
export function useExpectedTotals(known?: FileFindings["expected"]) {
  const [rowsTyped, setRows] = useState(known?.rows?.toString() ?? "");
  const [sumsTyped, setSums] = useState(() =>
    (known?.sums ?? []).map(({ currency, amount }) => `${currency} ${amount}`).join("; "),
  );
  const rows = readExpectedRows(rowsTyped);
  const sums = readExpectedSums(sumsTyped);
  return {
    rows: rows.value,
    sums: sums.value,
    /** The problem of the first field that payrun cannot read; null if both are readable. */
    refusal: rows.refusal
      ? texts.refusal(texts.rows, rows.refusal)
      : sums.refusal && texts.refusal(texts.totals, sums.refusal),
    fields: (
      <>
        <CheckedInput
          label={texts.rows}
          inputMode="numeric"
          value={rowsTyped}
          onChange={setRows}
          refusal={rows.refusal}
        />
        <CheckedInput
          label={texts.totals}
          description={texts.totalsHint}
          value={sumsTyped}
          onChange={setSums}
          refusal={sums.refusal}
        />
      </>
    ),
  };
}
