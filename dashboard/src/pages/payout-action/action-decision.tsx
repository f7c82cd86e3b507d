import { useMutation } from "@tanstack/react-query";
import { ApproverDecision } from "../../components/forms/approver-decision.tsx";
import { call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { usePerson } from "../../server/session.ts";
import type { PayoutAction } from "./action-query.ts";

/** The buttons with which an approver confirms or rejects the proposed results of an action. */
export function ActionDecision({
  of: { id, created_by: by },
}: {
  readonly of: Pick<PayoutAction, "id" | "created_by">;
}) {
  const decide = useMutation({
    mutationFn: (agree: boolean) =>
      agree
        ? call("POST /api/payout-actions/:id/confirm", { params: { id } })
        : call("POST /api/payout-actions/:id/reject", { params: { id } }),
    // The decision may change any data on the page.
    onSettled: () => void queryClient.invalidateQueries(),
  });
  return <ApproverDecision decide={decide} isOwn={by.actor === `user:${usePerson()?.id}`} />;
}
