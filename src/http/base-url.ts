import type { Config } from "#config.ts";

/**
 * Where a browser finds this payrun, as far as it knows itself.
 *
 * @param reached how whoever asks has reached it.
 */
export function baseUrl({ PUBLIC_URL, HOST, PORT }: Config, reached?: string): string {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/+$/, "");
  if (reached) return reached;
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
