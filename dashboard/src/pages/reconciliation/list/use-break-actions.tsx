import { Button, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { BulkActions } from "../../../components/list-table/list-table.tsx";
import { useMay } from "../../../server/session.ts";
import { formatSigned } from "../../../base/money.ts";
import { byMoney, type ListedBreak, sumOfDifferences } from "../break-amounts.ts";
import { type BreakActionName, type BreakFilter, mayChange } from "../action/break-action.ts";
import type { ChosenBreakAction } from "./break-dialog.tsx";
import { messages } from "../action/bulk-messages.ts";

/** Loaded with the first action. */
const BreakDialog = lazy(() => import("./break-dialog.tsx"));

/** The sum of the payouts' differences, or of the balances' if no payout differs. */
function signedSums(rows: readonly ListedBreak[]): string {
  const { payouts, balances } = byMoney(rows);
  const sums = sumOfDifferences(payouts);
  return (sums.length > 0 ? sums : sumOfDifferences(balances)).map(formatSigned).join(" · ");
}

/**
 * The actions for the selected breaks. Undefined: the reader may not work breaks, so rows have no
 * checkboxes.
 */
export function useBreakActions(
  filter: BreakFilter,
  found: number | null,
): BulkActions<ListedBreak> | undefined {
  const mayOperate = useMay("operate");
  const mayApprove = useMay("approve");
  const [chosen, setChosen] = useState<ChosenBreakAction | null>(null);
  if (!mayOperate && !mayApprove) return undefined;
  const actions: readonly BreakActionName[] = [
    ...(mayOperate ? (["assign", "propose"] as const) : []),
    ...(mayApprove ? (["confirm", "reject"] as const) : []),
  ];
  return {
    found,
    isWholeAllowed: true,
    buttons: ({ rows, isWhole, clear }) => (
      <>
        <Text size="sm" c="dimmed">
          {isWhole ? null : signedSums(rows)}
        </Text>
        {actions
          .filter((action) => isWhole || rows.some((row) => mayChange(action, row)))
          .map((action) => (
            <Button
              key={action}
              size="xs"
              variant="default"
              onClick={() =>
                setChosen({
                  action,
                  selection: isWhole ? { filter } : { breaks: rows.map(({ id }) => id) },
                  openedAt: Date.now(),
                  onApplied: clear,
                })
              }
            >
              {messages.actions[action].verb}
            </Button>
          ))}
      </>
    ),
    dialog: chosen ? (
      <Suspense>
        <BreakDialog key={chosen.openedAt} chosen={chosen} onClosed={() => setChosen(null)} />
      </Suspense>
    ) : null,
  };
}
