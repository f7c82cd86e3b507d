import { Button, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { BulkActions } from "../../components/list-table/list-table.tsx";
import { useMay } from "../../server/session.ts";
import { formatSigned } from "../../base/money.ts";
import { type ListedBreak, sumOfDifferences } from "./break-amounts.ts";
import { type BreakActionName, obstacleOf } from "./apply-to-breaks.ts";
import type { ChosenBreakAction } from "./break-dialog.tsx";
import { messages } from "./bulk-messages.ts";

/** Loaded with the first action. */
const BreakDialog = lazy(() => import("./break-dialog.tsx"));

/**
 * The actions for the selected breaks. Undefined: the reader may not work breaks, so rows have no
 * checkboxes.
 */
export function useBreakActions(): BulkActions<ListedBreak> | undefined {
  const mayOperate = useMay("operate");
  const mayApprove = useMay("approve");
  const [chosen, setChosen] = useState<ChosenBreakAction | null>(null);
  if (!mayOperate && !mayApprove) return undefined;
  const actions: readonly BreakActionName[] = [
    ...(mayOperate ? (["assign", "propose"] as const) : []),
    ...(mayApprove ? (["confirm", "refuse"] as const) : []),
  ];
  return {
    found: null,
    isWholeAllowed: false,
    buttons: ({ rows, clear }) => (
      <>
        <Text size="sm" c="dimmed">
          {sumOfDifferences(rows).map(formatSigned).join(" · ")}
        </Text>
        {actions
          .filter((action) => rows.some((row) => obstacleOf(action, row) === null))
          .map((action) => (
            <Button
              key={action}
              size="xs"
              variant="default"
              onClick={() => setChosen({ action, breaks: rows, onApplied: clear })}
            >
              {messages.actions[action].verb}
            </Button>
          ))}
      </>
    ),
    dialog: chosen ? (
      <Suspense>
        <BreakDialog chosen={chosen} onClosed={() => setChosen(null)} />
      </Suspense>
    ) : null,
  };
}
