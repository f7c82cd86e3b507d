/** Actions on several breaks at once. */
export const BREAK_ACTIONS = ["assign", "propose", "confirm", "reject"] as const;
export type BreakAction = (typeof BREAK_ACTIONS)[number];

/** Maximum number of breaks in one action. */
export const BREAKS_SELECTED_MAX = 100_000;

/** Maximum number of breaks that a request or a line of the audit log lists one by one. */
export const BREAKS_LISTED_MAX = 1_000;

/** Why an action does not apply to a break. */
export const BREAK_LEFT_REASONS = {
  moved: "The break has changed since the preview.",
  finished: "The break is already resolved or closed.",
  proposed: "An approver must first decide about another proposal.",
  not_proposed: "Nobody has proposed a resolution.",
  needs_approver: "A user made the proposal, so an approver must decide.",
  own_proposal: "You made the proposal, so another approver must decide.",
} satisfies Record<string, string>;

export type BreakLeftReason = keyof typeof BREAK_LEFT_REASONS;
