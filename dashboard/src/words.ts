/** "1 payout", "1,204 payouts". */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;
