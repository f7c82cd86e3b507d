import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmAction, unavailableReason } from "../../../../components/forms/confirm-action.tsx";
import { formatMoney } from "../../../../base/money.ts";
import { call } from "../../../../server/client.ts";
import { useLive } from "../../../../server/live.ts";
import { refetchIfRunning } from "../../../../server/query-client.ts";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";
import { batchQuery, cancelKey, unsentQuery } from "../../queries.ts";

const texts = messages.actions;

export type OrderVerb = "withdraw" | "pause" | "resume" | "release" | "cancel";

/** The confirmation of an order for a batch, with the payouts that are not sent at this moment. */
export default function OrderDialog({
  batch,
  verb,
  onClose,
  reload,
}: {
  readonly batch: BatchView;
  readonly verb: OrderVerb;
  readonly onClose: () => void;
  readonly reload: () => void;
}) {
  const id = batch.batch_id;
  const query = unsentQuery(id);
  const client = useQueryClient();
  const { data: unsent } = useQuery(query);
  useLive([`unsent:${id}`], (_topic, document) => {
    client.setQueryData(query.queryKey, document as typeof unsent);
    refetchIfRunning(query);
  });
  // The rows when the dialog opened: a draft of single payouts may get further rows meanwhile.
  const [content_digest] = useState(batch.content_digest);
  const cancel = useMutation({
    // The page says "cancelling" while this runs, which may take seconds in a large batch.
    mutationKey: cancelKey(id),
    mutationFn: async (reason: string) => {
      const body = { reason, content_digest };
      const done = await call("POST /api/batches/:id/cancel", { params: { id }, body });
      await client.invalidateQueries({ queryKey: batchQuery(id).queryKey });
      return done;
    },
  });
  const order = async (reason: string): Promise<void> => {
    const asked = { params: { id }, body: { reason } };
    if (verb === "cancel") {
      const { cancelled, state } = await cancel.mutateAsync(reason);
      notifications.show({ message: texts.cancelled(cancelled, state === "cancelled") });
    } else await call(`POST /api/batches/:id/${verb}`, asked);
    reload();
  };
  const isSending = verb === "cancel" && batch.state === "approved";
  const effect = unsent
    ? texts[verb].text(
        texts.unsent(
          unsent.payouts,
          unsent.sums.map((sum) => formatMoney(sum)),
        ),
      )
    : texts.counting;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts[verb].title}
      sentence={isSending ? `${effect} ${texts.stillSending}` : effect}
      verb={texts[verb].verb}
      danger={verb === "cancel"}
      asksReason
      passed={unavailableReason(batch.you[verb])}
      onConfirm={({ reason }) => order(reason)}
    />
  );
}
