import type { Config } from "#config.ts";

/** Where a browser finds this payrun, as far as it knows itself. */
export function baseUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/+$/, "");
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
