/**
 * Keeps the named parameters of a page address as text and ignores the others. The router parses
 * text that looks like a number as a number.
 */
export function textParams<Name extends string>(
  given: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const kept = names.flatMap((name) => {
    const value = given[name];
    const text = typeof value === "string" || typeof value === "number" ? `${value}`.trim() : "";
    return text === "" ? [] : [[name, text]];
  });
  return Object.fromEntries(kept) as { readonly [Each in Name]?: string };
}
