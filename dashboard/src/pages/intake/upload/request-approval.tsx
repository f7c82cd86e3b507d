import { Button, Checkbox, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, type Input } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Section } from "../../../components/section.tsx";
import { formatMoney } from "../../../base/money.ts";
import { isolateDirection } from "../../../base/text.ts";
import { messages as intakeTexts } from "../messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { batchQuery } from "../queries.ts";
import { useDetailsStep } from "./details/details-step.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import type { FileFindings } from "./queries.ts";

const texts = messages.approval;

/** The details of the batch, and the button that sends it for approval. No payout is sent. */
export function RequestApproval({
  found,
  page,
  isAgain,
}: {
  readonly found: FileFindings;
  readonly page: BatchView;
  /** An approver sent the batch back. */
  readonly isAgain: boolean;
}) {
  const { batch, obstacles, numbers } = found;
  const details = useDetailsStep(found, page);
  const [confirmed, setConfirmed] = useState(NOT_CONFIRMED);
  const request = useApprovalRequest(batch.batch_id, {
    ...details.body,
    content_digest: batch.content_digest,
    leave_out: confirmed.leaveOut,
    numbers_compared: confirmed.compared,
  });
  const good = batch.rows - batch.rejected;
  const isReady =
    good > 0 &&
    !details.isIncomplete &&
    (confirmed.leaveOut || !needsExclusion(batch)) &&
    (confirmed.compared || numbers.length === 0);
  const total = batch.totals.map((each) => formatMoney(each)).join(", ");
  return (
    <>
      {details.section}
      <Section title={isAgain ? texts.titleAgain : texts.title}>
        {obstacles.length > 0 && !request.error ? (
          <Notice tone="hold" title={texts.obstacles}>
            <ul>
              {obstacles.map((obstacle) => (
                <li key={obstacle}>{obstacle}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
        <Confirmations found={found} confirmed={confirmed} onChange={setConfirmed} />
        {request.error ? <ErrorState error={request.error} /> : null}
        <Group>
          <Button disabled={!isReady} loading={request.isPending} onClick={() => request.mutate()}>
            {texts.send(good)}
          </Button>
          <Text size="sm">
            {good > 0 ? texts.total(total) : ""}
            {texts.consequence}
          </Text>
        </Group>
      </Section>
    </>
  );
}

/** Requests the approval, then opens the page of the batch and names the possible approvers. */
function useApprovalRequest(
  id: string,
  body: Input<"POST /api/batches/:id/request-approval">["body"],
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call("POST /api/batches/:id/request-approval", { params: { id }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      const { policy } = await queries.fetchQuery(batchQuery(id));
      const approvers = policy.possible_approvers.map(isolateDirection);
      notifications.show({ message: intakeTexts.sendForApproval.sent(approvers) });
      await navigate({ href: `/batches/${id}` });
    },
  });
}

interface Confirmed {
  /** The batch is sent for approval without its rows with problems. */
  readonly leaveOut: boolean;
  /** The uploader compared the values that the file stores as numbers. */
  readonly compared: boolean;
}

const NOT_CONFIRMED: Confirmed = { leaveOut: false, compared: false };

const needsExclusion = ({ state, rejected }: FileFindings["batch"]): boolean =>
  state === "needs_correction" && rejected > 0;

/** The confirmations that the file makes necessary. */
function Confirmations({
  found: { batch, numbers },
  confirmed,
  onChange,
}: {
  readonly found: FileFindings;
  readonly confirmed: Confirmed;
  readonly onChange: (confirmed: Confirmed) => void;
}) {
  return (
    <>
      {needsExclusion(batch) ? (
        <Checkbox
          label={texts.exclude(batch.rejected)}
          checked={confirmed.leaveOut}
          disabled={batch.rows === batch.rejected}
          onChange={({ currentTarget }) =>
            onChange({ ...confirmed, leaveOut: currentTarget.checked })
          }
        />
      ) : null}
      {numbers.length > 0 ? (
        <Checkbox
          label={texts.numbers(numberColumnsText(numbers))}
          description={texts.numbersHint}
          checked={confirmed.compared}
          onChange={({ currentTarget }) =>
            onChange({ ...confirmed, compared: currentTarget.checked })
          }
        />
      ) : null}
    </>
  );
}

const numberColumnsText = (numbers: FileFindings["numbers"]): string =>
  numbers.map(({ column, rows }) => texts.columnIn(column, rows)).join(", ");
