import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { ActionName } from "./action-query.ts";

/** The states in which an action may change a payout. The server decides which payouts it does. */
const STATES: Readonly<Record<ActionName, readonly PayoutState[]>> = {
  hold_back: ["approved"],
  release: ["held_back"],
  cancel: ["approved", "held_back"],
  query: ["accepted", "in_doubt"],
  resolve: ["in_doubt", "on_hold"],
  assign: ["declined", "on_hold", "returned", "in_doubt"],
};

/** Returns the actions that may change a payout in one of these states. */
export const actionsFor = (states: readonly PayoutState[]): readonly ActionName[] =>
  (Object.keys(STATES) as ActionName[]).filter((action) =>
    states.some((state) => STATES[action].includes(state)),
  );

/** All actions, for payouts whose states are not known. */
export const ALL_ACTIONS = Object.keys(STATES) as ActionName[];
