/**
 * A number in [0, 1) derived only from the seed and the words, so a run is reproducible whatever
 * order its requests arrive in. FNV-1a with a final mix; good for dice, not for secrets.
 */
export function seededRandom(seed: number, ...words: readonly (string | number)[]): number {
  const text = `${seed}|${words.join("|")}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
