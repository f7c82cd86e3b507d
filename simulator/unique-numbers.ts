/**
 * A prefix and digits, never the same twice: the time in this unit, or the last number plus one.
 */
export function uniqueNumbers(prefix: "WD" | "DP", unitsPerMs: bigint, nowMs: () => number) {
  let last = 0n;
  return (): string => {
    const now = BigInt(nowMs()) * unitsPerMs;
    last = now > last ? now : last + 1n;
    return `${prefix}${last}`;
  };
}
