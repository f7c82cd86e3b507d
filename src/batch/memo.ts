/** Reads each code once: a workbook may name the same one millions of times, and to read one takes 0.1 ms. */
export function memoOf<K, V>(read: (code: K) => V): (code: K) => V {
  const known = new Map<K, V>();
  return (code) => {
    const found = known.get(code);
    if (found !== undefined) return found;
    const value = read(code);
    known.set(code, value);
    return value;
  };
}
