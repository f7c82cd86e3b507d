/** An answer of the server, with its entity tag. */
interface KeptAnswer<Document> {
  readonly tag: string;
  readonly document: Document;
}

/** Maximum number of answers kept. The one that was used longest ago is discarded first. */
const KEPT_MAX = 60;

/**
 * The latest answers, by address. They are only in memory, and each is shown only after the server
 * has confirmed that it is unchanged.
 */
const kept = new Map<string, KeptAnswer<unknown>>();

/** Returns the latest answer of this address; null if it is not kept. */
export function findKept<Document>(address: string): KeptAnswer<Document> | null {
  return (kept.get(address) as KeptAnswer<Document> | undefined) ?? null;
}

/** Keeps an answer, in place of an earlier one of this address. */
export function keepAnswer(address: string, answer: KeptAnswer<unknown>): void {
  kept.delete(address);
  kept.set(address, answer);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}

/** Discards all answers, because the user has changed. */
export function discardAnswers(): void {
  kept.clear();
}
