import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { dateTimeText } from "../../../base/dates.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call, downloadFile } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Section } from "../../../components/section.tsx";
import { formatMoney } from "../../../base/money.ts";
import { usePerson } from "../../../server/session.ts";
import { isolateDirection, batchName } from "../../../base/text.ts";
import { messages } from "./messages.tsx";

const texts = messages.earlier;

type Batch = Answer<"GET /api/batches">["items"][number];
type Format = "csv" | "xlsx";

/** Number of batches offered. Older ones are on the page of the batches. */
const OFFERED = 20;

/**
 * Downloads the rows of one of the reader's own batches as a file to edit, for example for monthly
 * payouts.
 */
export function CopyEarlierBatch() {
  const person = usePerson();
  const maker = person === null ? "" : `user:${person.id}`;
  const { data: page } = useQuery({
    queryKey: ["GET /api/batches", "earlier", maker],
    queryFn: ({ signal }) => call("GET /api/batches", { query: { maker, limit: OFFERED }, signal }),
    enabled: maker !== "",
  });
  const batches = page?.items.filter(({ rows, rejected }) => rows > rejected) ?? [];
  return batches.length === 0 ? null : <Choice batches={batches} />;
}

function Choice({ batches }: { readonly batches: readonly Batch[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const id = chosen ?? batches[0]?.batch_id ?? "";
  const download = useMutation({
    mutationFn: (format: Format) =>
      downloadFile("GET /api/batches/:id/copy", { params: { id }, query: { format } }),
  });
  const isAsked = (format: Format): boolean => download.isPending && download.variables === format;
  return (
    <Section title={texts.title} foldsOnPhone>
      <Text size="sm" c="dimmed">
        {texts.explanation}
      </Text>
      <NativeSelect
        label={texts.batch}
        value={id}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value);
          download.reset();
        }}
        data={batches.map((batch) => ({ value: batch.batch_id, label: nameOf(batch) }))}
      />
      <Group gap="sm">
        <Button variant="default" loading={isAsked("xlsx")} onClick={() => download.mutate("xlsx")}>
          {texts.excel}
        </Button>
        <Button variant="default" loading={isAsked("csv")} onClick={() => download.mutate("csv")}>
          {texts.csv}
        </Button>
      </Group>
      {download.error ? <ErrorState error={download.error} /> : null}
    </Section>
  );
}

/** "salaries.csv, 1 Mar 2026, 120 rows, INR 9,000.00". */
const nameOf = (batch: Batch): string =>
  [
    isolateDirection(batchName(batch)),
    dateTimeText(batch.created_at),
    texts.rows(batch.rows - batch.rejected),
    ...batch.totals.map((total) => formatMoney(total)),
  ].join(", ");
