import { Button, Group } from "@mantine/core";
import { useMay } from "../../../server/session.ts";
import type { ChosenAction } from "../../payout-action/action-dialog.tsx";
import { actionsFor } from "../../payout-action/action-states.ts";
import { messages as actionMessages } from "../../payout-action/messages.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { messages } from "./group-messages.ts";
import { type FailureSearch, payoutFilterOf, unpaidFilter } from "./search-params.ts";

/** The actions on all payouts of a failure group, with a preview and a reason. */
export function GroupActions({
  of: group,
  search,
  onChoose,
}: {
  readonly of: FailureGroup;
  readonly search: FailureSearch;
  /** The dialog outlives the group, which may leave the list when the action is applied. */
  readonly onChoose: (chosen: ChosenAction) => void;
}) {
  const mayOperate = useMay("operate");
  const { state } = group;
  const actions = mayOperate ? actionsFor([state]) : [];
  if (actions.length === 0) return null;
  const filter = { ...payoutFilterOf(group, search), ...unpaidFilter(state) };
  return (
    <Group gap="xs" role="group" aria-label={messages.group.actions(group.count)}>
      {actions.map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          {...(action === "cancel" && { c: "red" })}
          onClick={() => onChoose({ action, selection: { filter }, openedAt: Date.now() })}
        >
          {/* The group can be assigned as well, with the payouts that join it later. */}
          {actionMessages.actions[action][action === "assign" ? "title" : "verb"]}
        </Button>
      ))}
    </Group>
  );
}
