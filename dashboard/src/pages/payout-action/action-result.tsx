import { Button, Group, Stack, Text } from "@mantine/core";
import { PageLink } from "../../components/page-link.tsx";
import { LeftPayouts, PayoutTotals } from "./action-figures.tsx";
import type { PayoutAction } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.dialog;

/** The result of an applied action: the changed payouts, and the others by reason. */
export function ActionResult({
  of: { id, action, state, selected, changed, left },
  onClose,
}: {
  readonly of: PayoutAction;
  readonly onClose: () => void;
}) {
  const count = changed?.count ?? 0;
  return (
    <Stack>
      <Text fw={600} role="status">
        {messages.actions[action].done(count)}
      </Text>
      {count > 0 && changed ? <PayoutTotals of={changed.totals} /> : null}
      {state === "proposed" ? <Text size="sm">{texts.proposed}</Text> : null}
      <LeftPayouts title={texts.left} of={left ?? []} />
      <Group justify="space-between">
        <PageLink to={`/payout-actions/${id}`}>{texts.show(selected)}</PageLink>
        <Button onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Stack>
  );
}
