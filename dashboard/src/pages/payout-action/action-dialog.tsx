import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PREVIEW_OPTIONS, PreviewDialog } from "../../components/forms/preview-dialog.tsx";
import { Loading } from "../../components/loading.tsx";
import { call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import {
  type ActionName,
  type PayoutAction,
  payoutActionQuery,
  type Selection,
} from "./action-query.ts";
import { ActionPreview, NoPreview } from "./action-preview.tsx";
import { ActionResult } from "./action-result.tsx";
import { messages } from "./messages.ts";

const texts = messages.dialog;

/** The action that a reader chose for the selected payouts. */
export interface ChosenAction {
  readonly action: ActionName;
  readonly selection: Selection;
  /** Identifies the dialog. Each one makes a new preview. */
  readonly openedAt: number;
  /** Called when the dialog of an applied action closes. */
  readonly onApplied?: () => void;
}

/** Previews the action. */
const usePreview = ({ action, selection, openedAt }: ChosenAction) =>
  useQuery({
    queryKey: ["POST /api/payout-actions", action, selection, openedAt],
    queryFn: () => call("POST /api/payout-actions", { body: { action, ...selection } }),
    ...PREVIEW_OPTIONS,
  });

/**
 * The dialog of a bulk action: the preview of exactly the payouts that change, the reason, and
 * then the result.
 */
export default function ActionDialog({
  chosen,
  onClosed,
}: {
  readonly chosen: ChosenAction;
  readonly onClosed: () => void;
}) {
  const [applied, setApplied] = useState<PayoutAction | null>(null);
  const [isApplying, setApplying] = useState(false);
  const preview = usePreview(chosen);
  const showResult = (result: PayoutAction): void => {
    queryClient.setQueryData(payoutActionQuery(result.id).queryKey, result);
    setApplied(result);
    // The action may change any data on the page.
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [name] }) => name !== "POST /api/payout-actions",
    });
  };
  return (
    <PreviewDialog
      title={messages.actions[chosen.action].title}
      closeLabel={texts.close}
      isApplying={isApplying}
      onClosed={() => {
        onClosed();
        if (applied) chosen.onApplied?.();
      }}
    >
      {(close) =>
        applied ? (
          <ActionResult of={applied} onClose={close} />
        ) : preview.data ? (
          <ActionPreview
            // A repeated preview asks again.
            key={preview.data.id}
            of={preview.data}
            isRefreshing={preview.isFetching}
            onRepeat={() => void preview.refetch()}
            onApplying={setApplying}
            onApplied={showResult}
            onClose={close}
          />
        ) : preview.error ? (
          <NoPreview
            error={preview.error}
            isRefreshing={preview.isFetching}
            onRepeat={() => void preview.refetch()}
            onClose={close}
          />
        ) : (
          <Loading lines={4} />
        )
      }
    </PreviewDialog>
  );
}
