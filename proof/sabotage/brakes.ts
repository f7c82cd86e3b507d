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
];
