import { Button, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Section } from "../../../components/section.tsx";
import { formatMoney } from "../../../base/money.ts";
import { useExpectedTotals } from "./expected-totals.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { DESCRIPTION_CHARS_MAX } from "./queries.ts";
import type { FileFindings } from "./queries.ts";

const texts = messages.approval;

/** Sends the batch for approval. No payout is sent. */
export function RequestApproval({
  found,
  isAgain,
}: {
  readonly found: FileFindings;
  /** An approver sent the batch back. */
  readonly isAgain: boolean;
}) {
  const { batch, expected, obstacles, numbers } = found;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [leaveOut, setLeaveOut] = useState(false);
  const [compared, setCompared] = useState(false);
  const [purpose, setPurpose] = useState(batch.purpose ?? "");
  const { rows, sums, refusal, fields } = useExpectedTotals(expected);
  const submit = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/request-approval", {
        params: { id: batch.batch_id },
        body: {
          leave_out: leaveOut,
          numbers_compared: compared,
          purpose: purpose.trim() || null,
          expect_rows: rows,
          expect_sum: [...sums],
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      await navigate({ href: `/batches/${batch.batch_id}` });
    },
  });
  const good = batch.rows - batch.rejected;
  const needsLeaveOut = batch.state === "needs_correction" && batch.rejected > 0;
  const isReady =
    good > 0 &&
    refusal === null &&
    (leaveOut || !needsLeaveOut) &&
    (compared || numbers.length === 0);
  const total = batch.totals.map((each) => formatMoney(each)).join(", ");
  return (
    <Section title={isAgain ? texts.titleAgain : texts.title}>
      {obstacles.length > 0 && !submit.error ? (
        <Notice tone="alarm" title={texts.obstacles}>
          <ul>
            {obstacles.map((obstacle) => (
              <li key={obstacle}>{obstacle}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <Group align="flex-end" gap="sm">
        <TextInput
          label={texts.purpose}
          maxLength={DESCRIPTION_CHARS_MAX}
          value={purpose}
          onChange={({ currentTarget }) => setPurpose(currentTarget.value)}
        />
        {fields}
      </Group>
      {needsLeaveOut ? (
        <Checkbox
          label={texts.exclude(batch.rejected)}
          checked={leaveOut}
          disabled={good === 0}
          onChange={({ currentTarget }) => setLeaveOut(currentTarget.checked)}
        />
      ) : null}
      {numbers.length > 0 ? (
        <Checkbox
          label={texts.numbers(heldText(numbers))}
          description={texts.numbersHint}
          checked={compared}
          onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
        />
      ) : null}
      {submit.error ? <ErrorState error={submit.error} /> : null}
      <Group>
        <Button disabled={!isReady} loading={submit.isPending} onClick={() => submit.mutate()}>
          {texts.send(good)}
        </Button>
        <Text size="sm">
          {good > 0 ? texts.total(total) : ""}
          {texts.consequence}
        </Text>
      </Group>
    </Section>
  );
}

const heldText = (numbers: FileFindings["numbers"]): string =>
  numbers.map(({ column, rows }) => texts.columnIn(column, rows)).join(", ");
