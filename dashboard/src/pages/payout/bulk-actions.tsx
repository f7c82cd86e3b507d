import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { formatMoney, sumByCurrency } from "../../base/money.ts";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { call } from "../../server/client.ts";
import { useMay, usePerson } from "../../server/session.ts";
import { messages } from "./messages.ts";

const texts = messages.bulk;

/** The sums of the selected payouts, and what can be done with all of these payouts at once. */
export default function BulkActions({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const mayAssign = useMay("operate");
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(rows.map(({ code }) => code).join("\n"));
    notifications.show({ message: texts.copied(rows.length) });
  };
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
        <Button variant="default" onClick={() => void copy()}>
          {texts.copy}
        </Button>
      ) : null}
    </>
  );
}

/** Assigns each selected payout that needs attention. The server refuses the others. */
function AssignToMe({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const person = usePerson();
  const assign = useMutation({
    mutationFn: () =>
      Promise.allSettled(
        rows.map(({ code }) =>
          call("PUT /api/payouts/:code/assignment", {
            params: { code },
            body: { to: person?.id ?? null },
          }),
        ),
      ),
    onSuccess: (results) => {
      const assigned = results.filter(({ status }) => status === "fulfilled").length;
      notifications.show({ message: texts.assigned(assigned, rows.length - assigned) });
    },
  });
  return (
    <Button loading={assign.isPending} onClick={() => assign.mutate()}>
      {texts.assign(rows.length)}
    </Button>
  );
}
