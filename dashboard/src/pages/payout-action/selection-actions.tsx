import { Button, Menu, Text } from "@mantine/core";
import { ChevronUp } from "lucide-react";
import { sumByCurrency } from "../../base/money.ts";
import { AmountLine } from "../../components/amount.tsx";
import { useIsPhone } from "../../base/use-is-phone.ts";
import type { SelectedRows } from "../../components/list-table/row-selection.ts";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { useMay } from "../../server/session.ts";
import type { ChosenAction } from "./action-dialog.tsx";
import type { ActionName, PayoutFilter } from "./action-query.ts";
import { actionsFor, ALL_ACTIONS } from "./action-states.ts";
import { copyCodes } from "./assign-payouts.ts";
import { messages } from "./messages.ts";

const texts = messages.bar;

/** Maximum number of single payouts in one action. */
const PAYOUTS_MAX = 1_000;

/** Something that can be done with the selected payouts. */
interface Choice {
  readonly key: string;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

interface Props {
  readonly selected: SelectedRows<ListedPayout>;
  /** The filters of the list, which select all payouts that they find. */
  readonly filter: PayoutFilter;
  readonly onChoose: (chosen: ChosenAction) => void;
}

/** The sums of the selected payouts, and what can be done with all of these payouts at once. */
export default function SelectionActions(props: Props) {
  const { rows, isWhole } = props.selected;
  const isPhone = useIsPhone();
  const choices = useChoices(props);
  const isTooMany = !isWhole && rows.length > PAYOUTS_MAX;
  return (
    <>
      <Text size="sm" c="dimmed">
        {isTooMany ? (
          texts.tooMany(PAYOUTS_MAX)
        ) : isWhole ? null : (
          <AmountLine of={sumByCurrency(rows)} />
        )}
      </Text>
      {choices.length === 0 ? null : isPhone ? (
        <Menu position="top-start">
          <Menu.Target>
            <Button rightSection={<ChevronUp size={14} aria-hidden />}>{texts.actions}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {choices.map(({ key, label, isDanger, run }) => (
              <Menu.Item key={key} {...(isDanger && { color: "red" })} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        choices.map(({ key, label, isDanger, run }) => (
          <Button
            key={key}
            size="xs"
            variant="default"
            {...(isDanger && { c: "red" })}
            onClick={run}
          >
            {label}
          </Button>
        ))
      )}
    </>
  );
}

function useChoices({ selected, filter, onChoose }: Props): readonly Choice[] {
  const { rows, isWhole, clear } = selected;
  const mayOperate = useMay("operate");
  const possible = isWhole
    ? ALL_ACTIONS
    : rows.length <= PAYOUTS_MAX
      ? actionsFor(rows.map(({ state }) => state))
      : [];
  const choose = (action: ActionName): void =>
    onChoose({
      action,
      selection: isWhole ? { filter } : { codes: rows.map(({ code }) => code) },
      openedAt: Date.now(),
      onApplied: clear,
    });
  const actions = (mayOperate ? possible : []).map((action) => ({
    key: action,
    label: messages.actions[action].verb,
    isDanger: action === "cancel",
    run: () => choose(action),
  }));
  if (isWhole) return actions;
  return [
    ...actions,
    // A page without https has no clipboard.
    ...(navigator.clipboard
      ? [{ key: "copy", label: texts.copy, run: () => void copyCodes(rows) }]
      : []),
  ];
}
