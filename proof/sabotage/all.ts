import { ANSWER_SABOTAGES } from "./answers.ts";
import { BREAK_ACTION_SABOTAGES } from "./break-actions.ts";
import { CIRCUIT_BREAKER_SABOTAGES } from "./circuit-breakers.ts";
import { CONDITION_SABOTAGES, LANE_SABOTAGES } from "./lanes.ts";
import { FLOW_SABOTAGES } from "./flows.ts";
import { LEDGER_SABOTAGES } from "./ledger.ts";
import { PAYOUT_ACTION_SABOTAGES } from "./payout-actions.ts";
import { RULE_SABOTAGES } from "./rules.ts";
import type { Sabotage } from "./sabotage.ts";

export const SABOTAGES: readonly Sabotage[] = [
  ...FLOW_SABOTAGES,
  ...RULE_SABOTAGES,
  ...ANSWER_SABOTAGES,
  ...LEDGER_SABOTAGES,
  ...CIRCUIT_BREAKER_SABOTAGES,
  ...LANE_SABOTAGES,
  ...CONDITION_SABOTAGES,
  ...PAYOUT_ACTION_SABOTAGES,
  ...BREAK_ACTION_SABOTAGES,
];
