/** Returns a percentage of an amount, exact to the decimals of the amount, rounded half up. */
export function shareOf(amount: string, percent: string): string {
  if (!/^\d+(\.\d+)?$/.test(amount)) return "0";
  const digits = amount.split(".")[1]?.length ?? 0;
  const ofAmount = BigInt(amount.replace(".", ""));
  const [whole = "0", fraction = ""] = percent.split(".");
  const ofPercent = BigInt(whole + fraction.padEnd(4, "0"));
  const text = ((ofAmount * ofPercent + 500_000n) / 1_000_000n)
    .toString()
    .padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
