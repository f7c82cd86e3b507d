/** A cut-off that is missed (src/schedule/cut-offs.ts), and what that means. */
export const missText = (miss: string): string =>
  `${miss} The money may arrive a working day later.`;
