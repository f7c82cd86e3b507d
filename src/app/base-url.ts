import type { Config } from "#app/config.ts";

/**
 * Returns the address at which a browser reaches this server, as far as the server knows it.
 *
 * @param reached the address by which the current request reached the server.
 */
export function baseUrl({ PUBLIC_URL, HOST, PORT }: Config, reached?: string): string {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/+$/, "");
  if (reached) return reached;
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
