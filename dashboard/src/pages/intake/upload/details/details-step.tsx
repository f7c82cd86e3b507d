import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { formatMoney } from "../../../../base/money.ts";
import { Section } from "../../../../components/section.tsx";
import { type Priority, PrioritySelect } from "../../../../components/payout/priority.tsx";
import type { Answer, Input } from "../../../../server/client.ts";
import type { BatchView } from "../../queries.ts";
import { type Description, DescriptionFields } from "./details-fields.tsx";
import { useExpectedTotals } from "./expected-totals.tsx";
import { messages } from "./messages.ts";
import { messages as stepTexts } from "../reading/step-messages.ts";

const texts = messages.detailsStep;

type FileFindings = Answer<"GET /api/batches/:id/findings">;
type RequestBody = Input<"POST /api/batches/:id/request-approval">["body"];

/**
 * The details of a batch before it is sent for approval: the section with the fields, their values
 * for the API, and the mistake in a field.
 */
export function useDetailsStep(found: FileFindings, batch: BatchView) {
  const [description, setDescription] = useState<Description>({
    name: batch.name ?? "",
    purpose: found.batch.purpose ?? "",
  });
  const [canary, setCanary] = useState(batch.canary.payouts === 0 ? "" : `${batch.canary.payouts}`);
  const [priority, setPriority] = useState<Priority>(batch.priority);
  const expected = useExpectedTotals(found.expected);
  const body: RequestBody = {
    name: description.name.trim() || null,
    purpose: description.purpose.trim() || null,
    expect_rows: expected.rows,
    expect_sum: [...expected.sums],
    // Unchanged values are omitted: the audit log records each change.
    canary: Number(canary) === batch.canary.payouts ? undefined : Number(canary),
    priority,
  };
  const section = (
    <Section title={stepTexts.details} caption={texts.optional}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="sm">
          <DescriptionFields of={description} onChange={setDescription} />
          <TextInput
            label={texts.canary}
            description={texts.canaryHint}
            inputMode="numeric"
            pattern="[0-9]*"
            value={canary}
            onChange={({ currentTarget }) => setCanary(currentTarget.value.replaceAll(/\D/g, ""))}
          />
          <PrioritySelect
            label={texts.priority}
            description={texts.priorityHint}
            priority={priority}
            onChange={setPriority}
          />
        </Stack>
        <Stack gap="sm">
          <Totals found={found} expected={expected} />
        </Stack>
      </SimpleGrid>
    </Section>
  );
  return { section, body, isIncomplete: !expected.isReadable };
}

/** The control totals: the totals of the file, and those that the uploader expects. */
function Totals({
  found: { batch },
  expected,
}: {
  readonly found: FileFindings;
  readonly expected: ReturnType<typeof useExpectedTotals>;
}) {
  return (
    <>
      <Text size="sm" fw={550}>
        {texts.inFile(batch.rows - batch.rejected, batch.rows)}
      </Text>
      <Group gap="4px 16px" className="tabular">
        {batch.totals.map((total) => (
          <Text key={total.currency} size="sm">
            {formatMoney(total)}
          </Text>
        ))}
        <Button
          size="compact-xs"
          variant="light"
          onClick={() => expected.confirm(batch.rows, batch.totals)}
        >
          {texts.confirm}
        </Button>
      </Group>
      {expected.fields}
    </>
  );
}
