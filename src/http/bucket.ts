/** So many at once from one sender, and so many more each second. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Senders that are remembered. When there are more, all are forgotten: a flood from everywhere finds the other limits. */
const SENDERS_MAX = 10_000;

/** Says whether one more may come from this sender: a token bucket for each, in memory that does not grow. */
export function bucketPerSender(
  { perSecond, burst }: Rate,
  nowMs: () => number,
): (sender: string) => boolean {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return (sender) => {
    const atMs = nowMs();
    const bucket = buckets.get(sender) ?? { left: burst, atMs };
    const left = Math.min(burst, bucket.left + ((atMs - bucket.atMs) / 1_000) * perSecond);
    const isLetIn = left >= 1;
    if (buckets.size >= SENDERS_MAX && !buckets.has(sender)) buckets.clear();
    buckets.set(sender, { left: isLetIn ? left - 1 : left, atMs });
    return isLetIn;
  };
}
