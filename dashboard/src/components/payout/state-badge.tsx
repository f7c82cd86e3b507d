import { DEPOSIT_STATES } from "../../base/deposit-state.ts";
import type { DepositState } from "#deposit/lifecycle.ts";
import {
  type BatchStatus,
  batchStateDisplay,
  payoutStateDisplay,
  type PayoutStatus,
  type StateDisplay,
} from "../../base/state.ts";
import classes from "./state-badge.module.css";

/** Shows the state of a payout as an icon and a label. */
export const PayoutStateBadge = (payout: PayoutStatus) => (
  <StateBadge words={payoutStateDisplay(payout)} />
);

/** Shows the state of a batch as an icon and a label. */
export const BatchStateBadge = (batch: BatchStatus) => (
  <StateBadge words={batchStateDisplay(batch)} />
);

/** Shows the state of a deposit as an icon and a label. */
export const DepositStateBadge = ({ state }: { readonly state: DepositState }) => (
  <StateBadge words={DEPOSIT_STATES[state]} />
);

/**
 * Icon and label of a state, in the one shape of all states. The tooltip of a payout, batch or
 * deposit says whether money may have moved.
 */
export function StateBadge({ words }: { readonly words: ShownState }) {
  const { word, icon: Icon, tone, sentence } = words;
  return (
    <span
      className={classes.badge}
      data-tone={tone}
      data-proven={(tone === "settled" && sentence !== undefined) || undefined}
      title={sentence}
    >
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      <span className={classes.word}>{word}</span>
    </span>
  );
}

/** A state. Those that say nothing about money have no sentence. */
type ShownState = Omit<StateDisplay, "sentence"> & Partial<Pick<StateDisplay, "sentence">>;
