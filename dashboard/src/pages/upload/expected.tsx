import { useState } from "react";
import { CheckedInput } from "../../components/amount-input.tsx";
import type { FileFindings } from "./file.tsx";
import { readRows, readSums } from "./read-expected.ts";

/** What a file comes to by somebody's own system: the two fields, and what the API is told of them. */
export function useExpected(known?: FileFindings["expected"]) {
  const [rowsTyped, setRows] = useState(known?.rows?.toString() ?? "");
  const [sumsTyped, setSums] = useState(() =>
    (known?.sums ?? []).map(({ currency, amount }) => `${currency} ${amount}`).join("; "),
  );
  const rows = readRows(rowsTyped);
  const sums = readSums(sumsTyped);
  return {
    rows: rows.value,
    sums: sums.value,
    /** Why what is typed there can be compared with nothing. */
    refusal: rows.refusal
      ? `Rows expected: ${rows.refusal}`
      : sums.refusal && `Sums expected: ${sums.refusal}`,
    fields: (
      <>
        <CheckedInput
          label="Rows expected"
          inputMode="numeric"
          value={rowsTyped}
          onChange={setRows}
          refusal={rows.refusal}
        />
        <CheckedInput
          label="Sums expected"
          description="Currency and sum, such as INR 1234.50; several with a semicolon between them"
          value={sumsTyped}
          onChange={setSums}
          refusal={sums.refusal}
        />
      </>
    ),
  };
}
