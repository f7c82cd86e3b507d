/** The checker's own copy of the lifecycle: it shares no rule with the product. */
// biome-ignore format: the columns are the point
export const MOVES: Readonly<Record<string, readonly string[]>> = {
  awaiting_approval: ["approved", "cancelled", "held"],
  approved:          ["submitting", "cancelled", "held"],
  submitting:        ["approved", "in_doubt", "accepted", "declined", "held"],
  in_doubt:          ["submitting", "accepted", "declined", "settled", "held"],
  accepted:          ["declined", "settled", "held"],
  settled:           ["held"],
  declined:          ["held"],
  held:              ["held"],
};
export const ENDED: ReadonlySet<string> = new Set(["settled", "declined", "held", "cancelled"]);
