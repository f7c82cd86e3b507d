import type { Answer } from "../../../../server/client.ts";
import { Text } from "@mantine/core";
import { useState } from "react";
import { CheckedInput } from "../../../../components/forms/amount-input.tsx";
import { messages } from "./messages.ts";
import { readExpectedRows, readExpectedSums } from "./read-expected-totals.ts";

type FileFindings = Answer<"GET /api/batches/:id/findings">;

const texts = messages.expected;

interface CurrencyAmount {
  readonly currency: string;
  readonly amount: string;
}

const sumsText = (sums: readonly CurrencyAmount[]): string =>
  sums.map(({ currency, amount }) => `${currency} ${amount}`).join("; ");

/** The two fields for the expected rows and totals, and their values for the API. */
export function useExpectedTotals(known: FileFindings["expected"], toSend: number) {
  const [rowsTyped, setRows] = useState(known.rows?.toString() ?? "");
  const [sumsTyped, setSums] = useState(() => sumsText(known.sums));
  const rows = readExpectedRows(rowsTyped);
  const sums = readExpectedSums(sumsTyped);
  const isOther = rows.refusal === null && rows.value !== null && rows.value !== toSend;
  return {
    rows: rows.value,
    sums: sums.value,
    /** Whether payrun can read both fields. */
    isReadable: rows.refusal === null && sums.refusal === null,
    fields: (
      <>
        <CheckedInput
          label={texts.rows}
          inputMode="numeric"
          value={rowsTyped}
          onChange={setRows}
          refusal={rows.refusal}
        />
        {isOther ? (
          <Text size="xs" c="var(--awaiting-fg)" role="status">
            {texts.otherRows(toSend)}
          </Text>
        ) : null}
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
