import { call } from "../../server/client.ts";
import {
  type AssignmentActions,
  AssignmentForms,
} from "../../components/payout/assignment/assignment.tsx";
import { AssignmentText } from "../../components/payout/assignment/assignment-text.tsx";
import { queryClient } from "../../server/query-client.ts";
import { useMay } from "../../server/session.ts";
import { payoutQuery, type PayoutView } from "./payout-query.ts";

/** Assigns and snoozes a payout that needs attention. The timeline shows its notes. */
export function PayoutAssignment({
  payout: { code, updated_at },
  triage,
}: {
  readonly payout: PayoutView;
  readonly triage: NonNullable<PayoutView["assignment"]>;
}) {
  const mayOperate = useMay("operate");
  const params = { code };
  const actions: AssignmentActions = {
    assign: (body) => call("PUT /api/payouts/:code/assignment", { params, body }),
    snooze: triage.may_snooze
      ? (until) =>
          call("PUT /api/payouts/:code/snooze", { params, body: { until, seen_at: updated_at } })
      : undefined,
    reload: () => queryClient.invalidateQueries(payoutQuery(code)),
  };
  return (
    <>
      <AssignmentText of={triage} groupOwner={triage.group_assigned_to} />
      {mayOperate ? <AssignmentForms of={triage} actions={actions} /> : null}
    </>
  );
}
