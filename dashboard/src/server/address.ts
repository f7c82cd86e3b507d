/** The address of an operation, for a link to a file or for a stream. */
export function addressOf(
  name: string,
  input: { readonly params?: unknown; readonly query?: unknown },
): { readonly method: string; readonly address: string } {
  const [method = "GET", path = ""] = name.split(" ");
  const params = (input.params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      // An empty text is a value: what is of no column has the column "".
      if (each !== undefined && each !== null) query.append(key, String(each));
    }
  }
  return { method, address: query.size === 0 ? filled : `${filled}?${query}` };
}

/** Returns the address of the sign-in page, which continues at `from` after the sign-in. */
export const signInAddress = (from: string, more = {}): string =>
  `/login?${new URLSearchParams({ ...(from === "/" ? {} : { next: from }), ...more })}`;
