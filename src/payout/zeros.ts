import type { DetailField, PayoutDetails } from "#payout/payout.ts";

interface Shortened {
  readonly field: DetailField;
  /** Completes "expected …". */
  readonly expected: string;
}

/** Numbers whose length their bank code tells, and what they look like without the zeros that a spreadsheet took. */
// biome-ignore format: the columns are the point
const NUMBERS: Readonly<Record<string, readonly (Shortened & { codes: readonly string[]; pattern: RegExp })[]>> = {
  IDR: [
    { codes: ["OVO", "LINKAJA", "GOPAY", "DANA", "SHOPEEPAY"], field: "bank_account_number", pattern: /^8[0-9]{8,11}$/, expected: "a mobile number with its zero, such as 081234567890" },
  ],
  // The code is the kind of a PIX key, and the key itself stands in bank_name (docs/gateway.md section 5).
  BRL: [
    { codes: ["CPF"],  field: "bank_name", pattern: /^[0-9]{8,10}$/,  expected: "the 11 digits of the CPF" },
    { codes: ["CNPJ"], field: "bank_name", pattern: /^[0-9]{11,13}$/, expected: "the 14 digits of the CNPJ" },
  ],
};

/** The numbers of a payout that may have lost zeros, by what the bank code says of them. */
export function zerosMaybeLost(currency: string, details: PayoutDetails): readonly Shortened[] {
  const { bank_code: code = "" } = details;
  return (NUMBERS[currency] ?? []).filter(
    ({ codes, field, pattern }) => codes.includes(code) && pattern.test(details[field] ?? ""),
  );
}
