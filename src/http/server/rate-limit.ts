/** A rate limit per sender: the burst, and the requests per second after it. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Maximum number of senders to remember. When there are more, all are forgotten: a flood from
 * everywhere meets the other limits.
 */
const SENDERS_MAX = 10_000;

/**
 * Creates a check whether a sender may send one more request: a token bucket per sender, in bounded
 * memory.
 */
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
