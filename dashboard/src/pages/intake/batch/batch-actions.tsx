import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ConfirmAction, unavailableReason } from "../../../components/forms/confirm-action.tsx";
import { formatMoney, sumByCurrency } from "../../../base/money.ts";
import { PriorityButton } from "../../../components/payout/priority.tsx";
import { SendForApproval } from "./send-for-approval.tsx";
import { messages } from "../messages.tsx";
import type { BatchView } from "../queries.ts";
import { unsentCount } from "./status-sentence.ts";

const texts = messages.actions;

type Verb = "pause" | "resume" | "release" | "cancel";

/**
 * The permitted actions on the batch. Each dialog states its effect in numbers and asks for a
 * reason.
 */
export function BatchActions({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const [asked, setAsked] = useState<Verb | null>(null);
  const verbs = (["pause", "resume", "release", "cancel"] as const).filter(
    (verb) => batch.you[verb].may,
  );
  const order = async (verb: Verb, reason: string): Promise<void> => {
    await call(`POST /api/batches/:id/${verb}`, {
      params: { id: batch.batch_id },
      body: { reason },
    });
    reload();
  };
  return (
    <Group gap="xs">
      <SendForApproval batch={batch} reload={reload} />
      <PriorityButton batch={batch} may={batch.you.prioritize} reload={reload} />
      {verbs.map((verb) => (
        <Button
          key={verb}
          variant="default"
          size="xs"
          c={verb === "cancel" ? "red" : undefined}
          onClick={() => setAsked(verb)}
        >
          {verb === "cancel" ? texts.cancelUnsent(unsentCount(batch)) : texts[verb].verb}
        </Button>
      ))}
      {asked === null ? null : (
        <ConfirmAction
          opened
          onClose={() => setAsked(null)}
          title={texts[asked].title}
          sentence={texts[asked].text(unsentOf(batch))}
          verb={texts[asked].verb}
          danger={asked === "cancel"}
          asksReason
          passed={unavailableReason(batch.you[asked])}
          onConfirm={({ reason }) => order(asked, reason)}
        />
      )}
    </Group>
  );
}

const UNSENT = new Set(["approved", "awaiting_approval"]);

/** Number and totals of the payouts not sent yet. */
function unsentOf({ lanes }: BatchView): string {
  const unsent = lanes.flatMap(({ currency, states }) =>
    states
      .filter(({ state }) => UNSENT.has(state))
      .map(({ count, amount }) => ({ currency, count, amount })),
  );
  const count = unsent.reduce((sum, each) => sum + each.count, 0);
  return texts.unsent(
    count,
    sumByCurrency(unsent).map((sum) => formatMoney(sum)),
  );
}
