import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { formatMoney } from "../../base/money.ts";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { messages as common } from "../../components/messages.tsx";
import { call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { useMay, usePerson } from "../../server/session.ts";
import type { PayoutAction } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.decision;

/**
 * The buttons with which an approver confirms or rejects the proposed results of an action. Other
 * users see a text that says who may.
 */
export function ActionDecision({ of }: { readonly of: PayoutAction }) {
  const mayApprove = useMay("approve");
  const isOwn = of.created_by.actor === `user:${usePerson()?.id}`;
  const [decision, setDecision] = useState<"confirm" | "reject" | null>(null);
  if (!mayApprove || isOwn) {
    return (
      <Text size="sm" c="dimmed">
        {isOwn ? common.decision.own : common.decision.byApprovers}
      </Text>
    );
  }
  const { count, totals } = of.changed ?? of.qualifying;
  const sums = totals.map((total) => formatMoney(total)).join(" · ");
  const params = { id: of.id };
  const close = (): void => setDecision(null);
  return (
    <Group gap="xs">
      <Button size="xs" onClick={() => setDecision("confirm")}>
        {texts.confirm}
      </Button>
      <Button size="xs" variant="default" onClick={() => setDecision("reject")}>
        {texts.reject}
      </Button>
      <ConfirmAction
        opened={decision === "confirm"}
        onClose={close}
        title={texts.title(count)}
        sentence={texts.confirmSentence(count, sums)}
        verb={texts.confirmVerb(count)}
        onConfirm={() => refreshAfter(call("POST /api/payout-actions/:id/confirm", { params }))}
      />
      <ConfirmAction
        opened={decision === "reject"}
        onClose={close}
        title={texts.title(count)}
        sentence={texts.rejectSentence(count, sums)}
        verb={texts.rejectVerb(count)}
        asksReason
        onConfirm={(body) =>
          refreshAfter(call("POST /api/payout-actions/:id/reject", { params, body }))
        }
      />
    </Group>
  );
}

/** Loads all data again, because the decision may change any data on the page. */
async function refreshAfter(decided: Promise<unknown>): Promise<void> {
  try {
    await decided;
  } finally {
    void queryClient.invalidateQueries();
  }
}
