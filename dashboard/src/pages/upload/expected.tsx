import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { FileFindings } from "./file.tsx";

/** What a file comes to by somebody's own system, as it is typed. */
interface Expected {
  readonly rows: string;
  readonly sums: string;
}

/** The two fields, and what the API is told of them. */
export function useExpected(known?: FileFindings["expected"]) {
  const [expected, setExpected] = useState<Expected>({
    rows: known?.rows?.toString() ?? "",
    sums: (known?.sums ?? []).map(({ currency, amount }) => `${currency} ${amount}`).join("; "),
  });
  return {
    rows: expected.rows.trim() || null,
    sums: sumTexts(expected.sums),
    fields: <ExpectedFields expected={expected} onChange={setExpected} />,
  };
}

function ExpectedFields({
  expected,
  onChange,
}: {
  readonly expected: Expected;
  readonly onChange: (expected: Expected) => void;
}) {
  return (
    <>
      <TextInput
        label="Rows expected"
        inputMode="numeric"
        value={expected.rows}
        onChange={({ currentTarget }) => onChange({ ...expected, rows: currentTarget.value })}
      />
      <TextInput
        label="Sums expected"
        description="Currency and sum, such as INR 1234.50; several with a semicolon between them"
        value={expected.sums}
        onChange={({ currentTarget }) => onChange({ ...expected, sums: currentTarget.value })}
      />
    </>
  );
}

/** "INR 1,234.50; THB 20" as the API asks for it. */
const sumTexts = (text: string): string[] =>
  text
    .split(";")
    .map((sum) =>
      sum
        .trim()
        .replaceAll(",", "")
        .replace(/[\s=]+/, "="),
    )
    .filter((sum) => sum !== "");
