/** The checker's own copy of the lifecycle: it shares no rule with the product. */
// biome-ignore format: the table is easier to read in columns
export const MOVES: Readonly<Record<string, readonly string[]>> = {
  awaiting_approval: ["approved", "cancelled", "on_hold"],
  approved:          ["submitting", "cancelled", "on_hold", "held_back"],
  held_back:         ["approved", "cancelled", "on_hold"],
  submitting:        ["approved", "in_doubt", "accepted", "declined", "on_hold"],
  in_doubt:          ["submitting", "accepted", "declined", "settled", "on_hold"],
  accepted:          ["declined", "settled", "on_hold"],
  settled:           ["on_hold", "returned"],
  declined:          ["on_hold"],
  returned:          ["on_hold"],
  on_hold:           ["on_hold"],
};
export const ENDED: ReadonlySet<string> = new Set([
  "settled",
  "declined",
  "on_hold",
  "returned",
  "cancelled",
]);
