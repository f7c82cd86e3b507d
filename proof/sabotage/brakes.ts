import type { Sabotage } from "./sabotage.ts";

/** Mistakes in what stops sending by itself. */
export const BRAKE_SABOTAGES: readonly Sabotage[] = [
  {
    name: "the ceiling of doubt is ignored",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/submit.ts",
        find: "const ceiling = ceilingOf(deps.brakesOf(lane));",
        replace: "const ceiling = { ...ceilingOf(deps.brakesOf(lane)), count: 1_000_000 };",
      },
    ],
  },
  {
    name: "the canary is not asked at the claim, in the simulation",
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
    name: "the rest follows its canary without having seen it settled",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/canaries.ts",
        find: "{ batchId, lane, reason: null, actor: ACTOR }",
        replace: '{ batchId, lane, reason: "it will be well", actor: ACTOR }',
      },
      {
        file: "src/payout/canary.ts",
        find: "settled === payouts",
        replace: "settled <= payouts",
      },
    ],
  },
];
