import type { Sabotage } from "./sabotage.ts";

/** Mistakes in the automatic stops of sending. */
export const CIRCUIT_BREAKER_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the in-doubt limit is ignored",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/submit.ts",
        find: "const inDoubtLimit = inDoubtLimitOf(deps.thresholdsOf(lane));",
        replace:
          "const inDoubtLimit = { ...inDoubtLimitOf(deps.thresholdsOf(lane)), count: 1_000_000 };",
      },
    ],
  },
  {
    name: "the claim ignores the canary, in the simulation",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: "proof/simulation/ledger/payouts.ts",
        find: "canary !== undefined && canary.releasedMs === null",
        replace: "canary !== undefined && canary.releasedMs === -1",
      },
    ],
  },
  {
    name: "the rest is sent before its canary has settled",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/lane/canaries.ts",
        find: "{ batchId, lane, reason: null, actor: ACTOR }",
        replace: '{ batchId, lane, reason: "it will be well", actor: ACTOR }',
      },
      {
        file: "src/payout/lane/canary.ts",
        find: "settled === payouts",
        replace: "settled <= payouts",
      },
    ],
  },
];
