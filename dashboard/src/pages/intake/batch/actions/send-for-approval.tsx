import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { ConfirmAction, unavailableReason } from "../../../../components/forms/confirm-action.tsx";
import { PageLink } from "../../../../components/page-link.tsx";
import { formatMoney, sumByCurrency } from "../../../../base/money.ts";
import { isolateDirection } from "../../../../base/text.ts";
import { call } from "../../../../server/client.ts";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";

const texts = messages.sendForApproval;

/** The button with which the uploader of a draft sends it for approval, and its confirmation. */
export function SendForApproval({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const [opened, setOpened] = useState(false);
  const { request_approval: may } = batch.you;
  const approvers = batch.policy.possible_approvers.map(isolateDirection);
  return (
    <>
      {may.may ? (
        <Button size="xs" onClick={() => setOpened(true)}>
          {texts.verb}
        </Button>
      ) : null}
      <ConfirmAction
        opened={opened}
        onClose={() => setOpened(false)}
        title={texts.verb}
        sentence={texts.text(batch.payouts, totalOf(batch), approvers)}
        verb={texts.verb}
        passed={unavailableReason(may)}
        onConfirm={async () => {
          await call("POST /api/batches/:id/request-approval", {
            params: { id: batch.batch_id },
            body: { content_digest: batch.content_digest },
          });
          notifications.show({ message: texts.sent(approvers) });
          reload();
        }}
      >
        <PageLink to={`/batches/${batch.batch_id}/file`}>{texts.details}</PageLink>
      </ConfirmAction>
    </>
  );
}

/** The totals of the batch by currency. */
const totalOf = ({ lanes }: BatchView): string =>
  sumByCurrency(lanes)
    .map((sum) => formatMoney(sum))
    .join(", ");
