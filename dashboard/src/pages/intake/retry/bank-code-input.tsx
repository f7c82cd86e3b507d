import { Autocomplete, type ComboboxItem } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { guideQuery } from "./queries.ts";

const SHOWN_MAX = 200;

/**
 * A bank code, with the listed codes of the currency as suggestions. The lists change, so any code
 * can be entered.
 */
export default function BankCodeInput({
  currency,
  refused,
  onChange,
  ...input
}: {
  readonly currency: string;
  /** The code of the declined payout. While it is unchanged, all others are suggested. */
  readonly refused: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  /** `bankName`: the name of the bank with this code; null if the code does not determine it. */
  readonly onChange: (code: string, bankName: string | null) => void;
}) {
  // Without the list, a code that is typed at once would keep the name of the bank before.
  const { data: guide, isPending } = useQuery(guideQuery(currency));
  const names = new Map(guide?.bank_codes.map(({ code, name }) => [code, name]));
  const nameOf = (code: string): string | null =>
    guide?.bank_codes.find((bank) => bank.code === code)?.bank_name ?? null;
  const textOf = (code: string): string => `${code}: ${names.get(code) ?? ""}`;
  return (
    <Autocomplete
      {...input}
      readOnly={isPending}
      onChange={(code) => onChange(code, nameOf(code))}
      data={[...names.keys()].filter((code) => code !== refused)}
      limit={SHOWN_MAX}
      filter={({ options, search }) => {
        const wanted = search.trim().toLowerCase();
        return (options as ComboboxItem[])
          .filter(({ value }) => search === refused || textOf(value).toLowerCase().includes(wanted))
          .slice(0, SHOWN_MAX);
      }}
      renderOption={({ option }) => textOf(option.value)}
    />
  );
}
