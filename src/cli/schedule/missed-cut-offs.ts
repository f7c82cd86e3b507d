/** Describes a missed cut-off time (src/schedule/cut-offs.ts) and its consequence. */
export const missedCutOffText = (miss: string): string =>
  `${miss} The money may arrive a working day later.`;
