import { lazy, Suspense, useState } from "react";
import type { BulkActions } from "../../components/list-table/list-table.tsx";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { useMay } from "../../server/session.ts";
import type { ChosenAction } from "./action-dialog.tsx";
import type { PayoutFilter } from "./action-query.ts";

/** Loaded with the first selected row. */
const SelectionActions = lazy(() => import("./selection-actions.tsx"));

/** Loaded when an action is chosen. */
const ActionDialog = lazy(() => import("./action-dialog.tsx"));

/** The actions for the selected payouts of a list, and for all that its filters find. */
export function usePayoutActions(
  filter: PayoutFilter,
  found: number | null,
): BulkActions<ListedPayout> {
  const isWholeAllowed = useMay("operate");
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  return {
    found,
    // The other actions are for single payouts.
    isWholeAllowed,
    buttons: (selected) => (
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
