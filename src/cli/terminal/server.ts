import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { API, type OperationName } from "#api/api.ts";
import type { AnswerOf, InputFor, Operation } from "#api/app/operation.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import { ask, type Line, type Request, unreachable } from "#cli/terminal/server-line.ts";
import { systemClock } from "#base/clock.ts";
import { digestOf } from "#flows/intake/ingest.ts";
import { Secret } from "#base/secret.ts";
import { version } from "#base/version.ts";

type Table = typeof API;
type Input<Name extends OperationName> = InputFor<Table[Name]>;
/** `key` identifies a request that creates something. Repeating it does not create it again. */
type Named<Name extends OperationName> = Input<Name> &
  (Table[Name] extends { readonly creates: true } ? { readonly key?: string | undefined } : {});
type Asked<Name extends OperationName> =
  {} extends Input<Name> ? readonly [input?: Named<Name>] : readonly [input: Named<Name>];
type Uploads = {
  [Name in OperationName]: Table[Name] extends { readonly upload: true } ? Name : never;
}[OperationName];

/** Milliseconds to wait for an identical request that the server is processing. */
const RUNNING_MS = 120_000;
const RUNNING_PAUSE_MS = 2_000;

/** A client of payrun's HTTP API. src/api defines requests and answers. */
export class Server {
  readonly #line: Line;

  constructor(line: Line) {
    this.#line = line;
  }

  /** The address for people. */
  get url(): string {
    return this.#line.base;
  }

  /** Sends one request and returns the document of the answer. */
  async call<Name extends OperationName>(
    name: Name,
    ...[input]: Asked<Name>
  ): Promise<AnswerOf<Table[Name]>> {
    const { body, key } = (input ?? {}) as { body?: unknown; key?: string };
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const request = { ...requestFor(name, input ?? {}), headers };
    const answer = await this.#order(() =>
      body === undefined ? request : { ...request, body: JSON.stringify(body) },
    );
    return this.#documentOf(name, answer);
  }

  /** Uploads a file unchanged. The same file for the same purpose creates nothing again. */
  async sendFile<Name extends Uploads>(
    name: Name,
    path: string,
    input: Omit<Input<Name>, "body">,
  ): Promise<{ readonly answer: AnswerOf<Table[Name]>; readonly isReplayed: boolean }> {
    const request = requestFor(name, input);
    const digest = await digestOf(createReadStream(path));
    const { method, address } = request;
    const key = createHash("sha256").update(`${method} ${address} ${digest}`).digest("hex");
    const headers = { "content-type": "application/octet-stream", "idempotency-key": key };
    const answer = await this.#order(() => ({ ...request, headers, body: createReadStream(path) }));
    const isReplayed = answer.headers["idempotency-replayed"] === "true";
    return { answer: await this.#documentOf(name, answer), isReplayed };
  }

  /**
   * Sends a request. While an earlier one with the same key is still being processed, it waits and
   * tries again: the server may have been killed in the middle of it, and detects that within
   * seconds.
   */
  async #order(request: () => Request): Promise<IncomingMessage> {
    const deadlineMs = systemClock.monotonicMs() + RUNNING_MS;
    for (let isTold = false; ; isTold = true) {
      try {
        return await ask(this.#line, request());
      } catch (error) {
        const isRunning = error instanceof CliError && error.code === "request_in_progress";
        if (!isRunning || systemClock.monotonicMs() >= deadlineMs) throw error;
        if (!isTold)
          say("The server is still processing the same request. Waiting for its response.");
        await systemClock.sleep(RUNNING_PAUSE_MS);
      }
    }
  }

  /** Downloads a file of the server in pieces. */
  async *readFile<Name extends OperationName>(
    name: Name,
    ...[input]: Asked<Name>
  ): AsyncGenerator<Uint8Array> {
    const answer = await ask(this.#line, requestFor(name, input ?? {}));
    yield* this.#unbroken(answer);
  }

  async *#unbroken(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      yield* answer as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw unreachable(this.#line, true, error);
    }
  }

  async #documentOf<Name extends OperationName>(
    name: Name,
    answer: IncomingMessage,
  ): Promise<AnswerOf<Table[Name]>> {
    const { answer: schema }: Operation = API[name];
    const said = await text(this.#unbroken(answer));
    if (typeof schema === "string") return undefined as AnswerOf<Table[Name]>;
    const read = schema.safeParse(documentIn(said));
    if (read.success) return read.data as AnswerOf<Table[Name]>;
    throw new CliError(
      EXIT.unexpected,
      `This payrun (${version}) does not understand the response from the server at ${this.url}. Is the server running the same version of payrun?`,
    );
  }
}

function documentIn(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

type Word = string | number | boolean | undefined;

function requestFor(name: string, input: object): Request {
  const { params = {}, query = {} } = input as {
    params?: Record<string, unknown>;
    query?: Record<string, Word | readonly Word[]>;
  };
  const [method = "GET", path = ""] = name.split(" ");
  const filled = path.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined) asked.append(key, String(each));
  }
  return { method, address: asked.size === 0 ? filled : `${filled}?${asked.toString()}` };
}

/**
 * Creates a client of a server.
 * @throws CliError if the address or the key cannot be used.
 */
export async function connect(address: string, keyFile: string | undefined): Promise<Server> {
  const base = baseOf(address);
  if (keyFile === undefined) {
    throw new CliError(
      EXIT.usage,
      "A server requires an API key. Give its file with --api-key-file or PAYRUN_API_KEY_FILE. An admin creates keys under Settings → API keys.",
    );
  }
  return new Server({ base, key: await keyIn(keyFile) });
}

/**
 * Returns the base address of a server. Plain http is accepted only for this machine: elsewhere,
 * everybody on the network path could read the traffic, above all the key.
 */
function baseOf(address: string): string {
  const { protocol, hostname, username, password, search, hash, href } = new URL(address);
  if (protocol !== "https:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new CliError(
      EXIT.usage,
      `The API key is not sent to ${hostname} over http, because anyone on the network path could read it. Use https.`,
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

async function keyIn(path: string): Promise<Secret> {
  const { content, isOpen } = await readKeyFile(path);
  if (isOpen) {
    say(
      `${basename(path)} can be read by other users on this machine. Restrict it: chmod 600 ${path}`,
    );
  }
  const key = content.trim();
  if (KEY.test(key)) return new Secret(key);
  throw new CliError(
    EXIT.usage,
    `${path} does not contain an API key: expected one line, pk_ and 43 characters.`,
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
