/** "1 payout", "1,204 payouts". */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;

/** "64 MB", as file managers count; rounded down, for it is said of limits. */
export const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${Math.floor(bytes / 2 ** 30)} GB` : `${Math.floor(bytes / 2 ** 20)} MB`;
