import { API } from "#api/api.ts";

const ADDRESSES = Object.keys(API).map((name) => {
  const [method = "", path = ""] = name.split(" ");
  return { method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) };
});

/**
 * Returns the methods of an API address, as for the Allow header. Empty: the address does not
 * exist.
 */
export function methodsAt(path: string): readonly string[] {
  const methods = ADDRESSES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.includes("GET") ? ["HEAD", ...methods].toSorted() : methods.toSorted();
}
