import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { formatMoney, sumByCurrency } from "../../base/money.ts";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { useMay, usePerson } from "../../server/session.ts";
import { assignPayouts, copyCodes } from "./assign-payouts.ts";
import { messages } from "./messages.ts";

const texts = messages.bulk;

/** The sums of the selected payouts, and what can be done with all of these payouts at once. */
export default function BulkActions({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const mayAssign = useMay("operate");
  return (
    <>
      <Text size="sm" c="dimmed">
        {sumByCurrency(rows)
          .map((sum) => formatMoney(sum))
          .join(" · ")}
      </Text>
      {mayAssign ? <AssignToMe rows={rows} /> : null}
      {/* A page without https has no clipboard. */}
      {navigator.clipboard ? (
        <Button variant="default" onClick={() => void copyCodes(rows)}>
          {texts.copy}
        </Button>
      ) : null}
    </>
  );
}

function AssignToMe({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const person = usePerson();
  const assign = useMutation({ mutationFn: (to: string) => assignPayouts(rows, to) });
  return person === null ? null : (
    <Button loading={assign.isPending} onClick={() => assign.mutate(person.id)}>
      {texts.assign(rows.length)}
    </Button>
  );
}
