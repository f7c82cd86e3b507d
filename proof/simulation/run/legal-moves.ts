import type { TransitionRow } from "#proof/simulation/ledger/tables.ts";

/** The checker's own copy of the lifecycle: it shares no rule with the product. */
// biome-ignore format: the table is easier to read in columns
const MOVES: Readonly<Record<string, readonly string[]>> = {
  awaiting_approval: ["approved", "cancelled", "on_hold"],
  approved:          ["submitting", "cancelled", "on_hold", "held_back"],
  held_back:         ["approved", "cancelled", "on_hold"],
  submitting:        ["approved", "in_doubt", "accepted", "declined", "on_hold"],
  in_doubt:          ["submitting", "accepted", "declined", "settled", "on_hold", "resolved"],
  accepted:          ["declined", "settled", "on_hold"],
  settled:           ["on_hold", "returned"],
  declined:          ["on_hold"],
  returned:          ["on_hold"],
  on_hold:           ["on_hold", "resolved"],
  resolved:          ["on_hold"],
};
export const ENDED: ReadonlySet<string> = new Set([
  "settled",
  "declined",
  "on_hold",
  "returned",
  "cancelled",
  "resolved",
]);

/** States in which a restored ledger may find that the gateway has a payout. */
const UNSENT: ReadonlySet<string> = new Set(["approved", "held_back"]);

/** Returns the state after the transitions, and the transitions as text if one is illegal. */
export function lastState(
  transitions: readonly TransitionRow[],
  isRestored: boolean,
): { readonly state: string; readonly wrong: string | null } {
  let state = "awaiting_approval";
  let isLegal = true;
  for (const [index, { seq, from, to }] of transitions.entries()) {
    const isFound = isRestored && UNSENT.has(from) && to === "accepted";
    const isMove = MOVES[from]?.includes(to) === true || isFound;
    isLegal &&= seq === index + 1 && from === state && isMove;
    state = to;
  }
  const moves = transitions.map(({ seq, from, to }) => `${seq} ${from}→${to}`).join(", ");
  return { state, wrong: isLegal ? null : moves };
}
