import { open } from "node:fs/promises";
import { basename } from "node:path";
import { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import { findStoredKey } from "#cli/terminal/stored-keys.ts";
import { httpTransport, type ServerConnection } from "#cli/terminal/server-connection.ts";
import { Secret } from "#base/secret.ts";

/** A client of a server's API. */
export class Server extends ApiClient {
  /** The address for people. */
  readonly url: string;

  constructor(line: ServerConnection) {
    super(httpTransport(line));
    this.url = line.base;
  }
}

/**
 * Creates a client of a server.
 * @throws CliError if the address or the key cannot be used.
 *
 * @example
 * ```ts
 * import { connect } from "#cli/terminal/server.ts";
 *
 * const server = await connect(serverUrl, keyFile);
 * const { items } = await server.call("GET /api/batches", { query: { limit: 1 } });
 * console.log(items.length); // → 1
 * ```
 */
export async function connect(address: string, keyFile: string | undefined): Promise<Server> {
  const base = baseOf(address);
  const path = keyFile ?? findStoredKey(base);
  if (path === undefined) {
    throw new CliError(
      EXIT.usage,
      `A server requires an API key. To store one: payrun login ${base}. Alternatively, specify a file that contains a key with --api-key-file or PAYRUN_API_KEY_FILE. Create keys on the dashboard, under Settings → API keys.`,
    );
  }
  return new Server({ base, key: await keyIn(path) });
}

/**
 * Returns the base address of a server. Plain http is accepted only for this machine: elsewhere,
 * everybody on the network path could read the traffic, above all the key.
 */
export function baseOf(address: string): string {
  const { protocol, hostname, username, password, search, hash, href } = new URL(address);
  if (protocol !== "https:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new CliError(
      EXIT.usage,
      `The API key was not sent to ${hostname} over http, because anyone on the network path could read it. Use https.`,
    );
  }
  if (username || password || search || hash) {
    throw new CliError(
      EXIT.usage,
      "--server expects a URL without a path, such as https://pay.example",
    );
  }
  return href.replace(/\/+$/, "");
}

const KEY = /^pk_[\w-]{43}$/;

/** Returns the key in a file, and warns if other users can read it. */
export async function keyIn(path: string): Promise<Secret> {
  const { content, isOpen } = await readKeyFile(path);
  if (isOpen) {
    say(
      `${basename(path)} can be read by other users on this machine. Restrict access: chmod 600 ${path}`,
    );
  }
  return keyFrom(content, path);
}

/**
 * Returns the key in a text.
 * @throws CliError that names the source if the text is not a key.
 */
export function keyFrom(text: string, source: string): Secret {
  const key = text.trim();
  if (KEY.test(key)) return new Secret(key);
  throw new CliError(
    EXIT.usage,
    `${source} does not contain an API key: expected one line with pk_ followed by 43 characters.`,
  );
}

async function readKeyFile(path: string): Promise<{ content: string; isOpen: boolean }> {
  try {
    await using file = await open(path);
    const stat = await file.stat();
    const content = await file.readFile("utf8");
    return { content, isOpen: stat.isFile() && (stat.mode & 0o077) !== 0 };
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.usage, `The API key file ${path} cannot be read (${code}).`);
  }
}
