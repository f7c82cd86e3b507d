import { Alert, Button, Group, Select, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { messages } from "./messages.tsx";
import type { CurrencyProposal, MissingColumn } from "./proposal.ts";

const texts = messages.columns;

/** Asks for the currency of a file without a currency column. */
export const CurrencyOfAllRows = ({
  of: { choices, proposed },
  currency,
  onChange,
}: {
  readonly of: CurrencyProposal;
  readonly currency: string | null;
  readonly onChange: (currency: string | null) => void;
}) => (
  <Select
    label={texts.currencyOfAll}
    description={proposed === null ? texts.noCurrency : texts.currencySuggested(proposed)}
    data={choices}
    value={currency}
    onChange={onChange}
    searchable
    maw={360}
  />
);

/** Names the columns that the currency also requires, with candidates from the file. */
export const MissingColumns = ({
  of,
  onUse,
}: {
  readonly of: readonly MissingColumn[];
  readonly onUse: (name: string, column: string) => void;
}) =>
  of.length === 0 ? null : (
    <Alert role="status" color="orange" variant="light" icon={<TriangleAlert aria-hidden />}>
      {of.map(({ currency, column, candidates }) => (
        <Group key={`${currency} ${column}`} gap="xs" mb={4}>
          <Text size="sm">{texts.alsoRequired(currency, column)}</Text>
          {candidates.map((name) => (
            <Button
              key={name}
              size="compact-xs"
              variant="default"
              onClick={() => onUse(name, column)}
            >
              {texts.takeAs(name, column)}
            </Button>
          ))}
        </Group>
      ))}
      <Text size="sm">{texts.enterLater}</Text>
    </Alert>
  );
