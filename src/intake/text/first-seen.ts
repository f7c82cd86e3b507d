/**
 * Remembers on which line a text was first seen, for millions of texts: 12 bytes per slot and no
 * object per entry, whereas a Map of strings would take about 150 bytes. It stores a 64-bit hash
 * instead of the text. Among a million texts, the probability that any two different ones are
 * treated as equal is 3 in 100 million.
 */
export interface SeenLines {
  /** Returns the line of the first equal text, or 0 after recording this one as the first. */
  firstLineOf(text: string, line: number): number;
}

const SLOTS_AT_START = 1 << 10;

/** Creates an empty hash table of digests and the lines on which they were first seen. */
export function seenLines(): SeenLines {
  let slots = SLOTS_AT_START;
  let used = 0;
  let high = new Uint32Array(slots);
  let low = new Uint32Array(slots);
  let lines = new Uint32Array(slots);

  /**
   * Returns the slot that holds the hash, or the empty slot where it belongs. A line of 0 means
   * empty.
   */
  const slotOf = (h: number, l: number): number => {
    let slot = l & (slots - 1);
    while (lines[slot] !== 0 && (high[slot] !== h || low[slot] !== l))
      slot = (slot + 1) & (slots - 1);
    return slot;
  };

  const grow = (): void => {
    const old = { high, low, lines };
    slots *= 2;
    high = new Uint32Array(slots);
    low = new Uint32Array(slots);
    lines = new Uint32Array(slots);
    for (let i = 0; i < old.lines.length; i++) {
      const line = old.lines[i] ?? 0;
      if (line !== 0)
        put(slotOf(old.high[i] ?? 0, old.low[i] ?? 0), old.high[i] ?? 0, old.low[i] ?? 0, line);
    }
  };

  const put = (slot: number, h: number, l: number, line: number): void => {
    high[slot] = h;
    low[slot] = l;
    lines[slot] = line;
  };

  return {
    firstLineOf(text, line) {
      // Two independent 32-bit lanes over the UTF-16 units (the scheme of cyrb53).
      let a = 0xdeadbeef;
      let b = 0x41c6ce57;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        a = Math.imul(a ^ unit, 0x9e3779b1);
        b = Math.imul(b ^ unit, 0x5f356495);
      }
      a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
      b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
      const [h, l] = [a >>> 0, b >>> 0];

      const slot = slotOf(h, l);
      const first = lines[slot] ?? 0;
      if (first !== 0) return first;
      put(slot, h, l, line);
      used++;
      if (used * 10 > slots * 6) grow();
      return 0;
    },
  };
}
