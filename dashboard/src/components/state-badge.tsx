import { Tooltip } from "@mantine/core";
import type { BatchState } from "#batch/lifecycle.ts";
import type { PayoutState } from "#payout/lifecycle.ts";
import { BATCH_STATES, PAYOUT_STATES, type StateWords } from "../state.ts";
import classes from "./state-badge.module.css";

export const PayoutStateBadge = ({ state }: { readonly state: PayoutState }) => (
  <StateBadge words={PAYOUT_STATES[state]} />
);

export const BatchStateBadge = ({ state }: { readonly state: BatchState }) => (
  <StateBadge words={BATCH_STATES[state]} />
);

/** Icon, word, and a sentence on hover and focus: what it means and whether money may have moved. */
export function StateBadge({ words }: { readonly words: StateWords }) {
  const { word, icon: Icon, tone, sentence } = words;
  return (
    <Tooltip
      label={sentence}
      multiline
      maw={320}
      withArrow
      events={{ hover: true, focus: true, touch: true }}
    >
      <span className={classes.badge} data-tone={tone} tabIndex={0}>
        <Icon size={14} aria-hidden />
        {word}
      </span>
    </Tooltip>
  );
}
