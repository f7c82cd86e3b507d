import { Alert, Button, Checkbox, Group } from "@mantine/core";
import { CircleX } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Loading } from "../../../../components/loading.tsx";
import { Section } from "../../../../components/section.tsx";
import { ColumnMapping } from "./column-mapping.tsx";
import { CurrencyOfAllRows, MissingColumns } from "./currency-of-all-rows.tsx";
import { messages } from "./messages.tsx";
import {
  columnFaults,
  type ConfirmedReading,
  confirmedReading,
  hasCurrencyColumn,
  missingColumns,
  type ReadingProposal,
  suggestedColumns,
} from "./proposal.ts";

/** Only for a file whose amounts are not plain numbers. */
const AmountFormat = lazy(async () => ({
  default: (await import("./amount-format.tsx")).AmountFormat,
}));

const texts = messages.confirm;
const columnTexts = messages.columns;

/** Asks the uploader to confirm how a file is read. No row is stored before. */
export function ConfirmReading({
  fileName,
  proposal,
  fields,
  isBusy,
  onConfirm,
  onCancel,
}: {
  readonly fileName: string;
  readonly proposal: ReadingProposal;
  readonly fields: readonly string[];
  readonly isBusy: boolean;
  readonly onConfirm: (reading: ConfirmedReading) => void;
  readonly onCancel: () => void;
}) {
  const { amounts, columns } = proposal;
  const [format, setFormat] = useState(amounts?.proposed ?? null);
  const [chosen, setChosen] = useState(() => suggestedColumns(proposal));
  const [remembers, setRemembers] = useState(true);
  const [currency, setCurrency] = useState(proposal.currency?.proposed ?? null);
  const faults = columns ? faultTexts(chosen, currency) : [];
  const isReady = faults.length === 0 && (amounts === null || format !== null);
  return (
    <Section title={texts.title(fileName)} caption={texts.caption}>
      {amounts ? (
        <Suspense fallback={<Loading lines={3} />}>
          <AmountFormat amounts={amounts} format={format} onChange={setFormat} />
        </Suspense>
      ) : null}
      {proposal.currency && !hasCurrencyColumn(chosen) ? (
        <CurrencyOfAllRows of={proposal.currency} currency={currency} onChange={setCurrency} />
      ) : null}
      {columns ? (
        <ColumnMapping columns={columns} fields={fields} chosen={chosen} onChange={setChosen} />
      ) : null}
      <MissingColumns
        of={missingColumns(proposal, chosen, currency)}
        onUse={(name, column) => setChosen({ ...chosen, [name]: column })}
      />
      {faults.length > 0 ? (
        <Alert role="alert" color="red" variant="light" icon={<CircleX aria-hidden />}>
          {faults.map((fault) => (
            <div key={fault}>{fault}</div>
          ))}
        </Alert>
      ) : null}
      <Group justify="space-between" gap="sm">
        {columns ? <Remember {...{ remembers, setRemembers }} /> : <span />}
        <Group gap="sm">
          <Button variant="default" onClick={onCancel} disabled={isBusy}>
            {texts.cancel}
          </Button>
          <Button
            disabled={!isReady}
            loading={isBusy}
            onClick={() =>
              onConfirm(confirmedReading(proposal, chosen, { format, currency, remembers }))
            }
          >
            {confirmText(proposal)}
          </Button>
        </Group>
      </Group>
    </Section>
  );
}

const Remember = ({
  remembers,
  setRemembers,
}: {
  readonly remembers: boolean;
  readonly setRemembers: (remembers: boolean) => void;
}) => (
  <Checkbox
    label={columnTexts.remember}
    checked={remembers}
    onChange={({ currentTarget }) => setRemembers(currentTarget.checked)}
  />
);

function confirmText({ amounts, columns }: ReadingProposal): string {
  if (amounts && columns) return texts.confirmBoth;
  return amounts ? texts.confirmAmounts : texts.confirmColumns;
}

function faultTexts(...choices: Parameters<typeof columnFaults>): readonly string[] {
  const { missing, twice } = columnFaults(...choices);
  const isCurrencyMissing = missing.includes("currency_code");
  const others = missing.filter((column) => column !== "currency_code");
  return [
    ...(isCurrencyMissing ? [columnTexts.currencyMissing] : []),
    ...(others.length > 0 ? [columnTexts.missing(others)] : []),
    ...(twice.length > 0 ? [columnTexts.twice(twice)] : []),
  ];
}
