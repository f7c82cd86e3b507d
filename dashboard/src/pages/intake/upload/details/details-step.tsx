import { Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Amount } from "../../../../components/amount.tsx";
import { Section } from "../../../../components/section.tsx";
import { type Priority, PrioritySelect } from "../../../../components/payout/priority.tsx";
import type { Answer, Input } from "../../../../server/client.ts";
import type { BatchView } from "../../batch-view.ts";
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
  // The values that the uploader saw first. Unchanged fields are omitted from the request, so that
  // it does not undo a change by somebody else.
  const [initial] = useState({ canary: batch.canary.payouts, priority: batch.priority });
  const [canary, setCanary] = useState(initial.canary === 0 ? "" : `${initial.canary}`);
  const [priority, setPriority] = useState<Priority>(initial.priority);
  const expected = useExpectedTotals(found.expected, found.batch.rows - found.batch.rejected);
  const body: RequestBody = {
    name: description.name.trim() || null,
    purpose: description.purpose.trim() || null,
    expect_rows: expected.rows,
    expect_sum: [...expected.sums],
    canary: Number(canary) === initial.canary ? undefined : Number(canary),
    priority: priority === initial.priority ? undefined : priority,
  };
  const section = (
    <Section
      title={stepTexts.details}
      caption={texts.optional}
      foldsOnPhone={found.batch.rejected > 0}
    >
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
          <Totals found={found} />
          {expected.fields}
        </Stack>
      </SimpleGrid>
    </Section>
  );
  return { section, body, isIncomplete: !expected.isReadable };
}

/** The totals of the file. */
function Totals({ found: { batch } }: { readonly found: FileFindings }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {texts.inFile(batch.rows - batch.rejected, batch.rows)}
      </Text>
      <Group gap="4px 16px" className="tabular">
        {batch.totals.map((total) => (
          <Text key={total.currency} size="sm">
            <Amount of={total} />
          </Text>
        ))}
      </Group>
    </>
  );
}
