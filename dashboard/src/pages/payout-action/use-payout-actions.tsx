import { lazy, type ReactNode, Suspense, useState } from "react";
import type { SelectedRows } from "../../components/list-table/row-selection.ts";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import type { PayoutFilter } from "./action-query.ts";
import type { ChosenAction } from "./action-dialog.tsx";

/** Loaded with the first selected row. */
const SelectionActions = lazy(() => import("./selection-actions.tsx"));

/** Loaded when an action is chosen. */
const ActionDialog = lazy(() => import("./action-dialog.tsx"));

/**
 * The actions for the selected payouts of a list, and the dialog of the chosen action. The dialog
 * belongs to the list, because the selected rows may disappear while it is open.
 */
export function usePayoutActions(filter: PayoutFilter): {
  readonly bulk: (selected: SelectedRows<ListedPayout>) => ReactNode;
  readonly dialog: ReactNode;
} {
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  return {
    bulk: (selected) => (
      <Suspense>
        <SelectionActions selected={selected} filter={filter} onChoose={setChosen} />
      </Suspense>
    ),
    dialog: chosen ? (
      <Suspense>
        <ActionDialog key={chosen.openedAt} chosen={chosen} onClosed={() => setChosen(null)} />
      </Suspense>
    ) : null,
  };
}
