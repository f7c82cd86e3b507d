const FRACTIONS = new Map([
  [2, "half"],
  [3, "a third of"],
  [4, "a quarter of"],
  [5, "a fifth of"],
  [10, "a tenth of"],
  [100, "a hundredth of"],
]);

/**
 * How large an amount is compared with another: "3.2 times" or "about a tenth of".
 * `times`: the multiple as the server states it, for amounts of at least the other.
 */
export function shareText(amount: string, other: string, times: string | null): string {
  const ratio = Number(amount) / Number(other);
  if (!(ratio < 1)) return `${times ?? ""} times`;
  const parts = Math.round(1 / ratio);
  return `about ${FRACTIONS.get(parts) ?? (parts > 1 ? `1/${parts} of` : "")}`.trim();
}
