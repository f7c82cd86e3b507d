import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { API, type OperationName } from "#api/api.ts";
import type { AnswerOf, InputFor, ApiOperation } from "#api/app/operation.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import type { Answer, Request, Transport } from "#cli/terminal/transport.ts";
import { systemClock } from "#base/clock.ts";
import { version } from "#base/version.ts";

type Table = typeof API;
type Input<Name extends OperationName> = InputFor<Table[Name]>;
/** `key` identifies a request that creates something. Repeating it does not create it again. */
type Named<Name extends OperationName> = Input<Name> &
  (Table[Name] extends { readonly creates: true } ? { readonly key?: string | undefined } : {});
type OptionalInput<Name extends OperationName> =
  {} extends Input<Name> ? readonly [input?: Named<Name>] : readonly [input: Named<Name>];
type Uploads = {
  [Name in OperationName]: Table[Name] extends { readonly upload: true } ? Name : never;
}[OperationName];

/** Milliseconds to wait for an identical request that the server is processing. */
const RUNNING_MS = 120_000;
const RUNNING_PAUSE_MS = 2_000;

/** A client of payrun's API, over any transport. src/api defines requests and answers. */
export class ApiClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends one request and returns the document of the answer.
   *
   * @example
   * ```ts
   * const batch = await client.call("GET /api/batches/:id", { params: { id } });
   * console.log(batch.state, batch.rows); // → awaiting_approval 2
   * ```
   */
  async call<Name extends OperationName>(
    name: Name,
    ...[input]: OptionalInput<Name>
  ): Promise<AnswerOf<Table[Name]>> {
    const { body, key } = (input ?? {}) as { body?: unknown; key?: string };
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const request = { ...requestFor(name, input ?? {}), headers };
    const answer = await this.#sendUntilAnswered(() =>
      body === undefined ? request : { ...request, body: JSON.stringify(body) },
    );
    return this.#documentOf(name, answer);
  }

  /**
   * Uploads a file unchanged. The same file for the same purpose creates nothing again, unless the
   * request has a key of its own.
   *
   * @example
   * ```ts
   * const query = { file_name: "payouts.csv" };
   * const { answer } = await client.sendFile("POST /api/batches", file, { query });
   * console.log(answer.batch.state, answer.is_new); // → draft true
   * ```
   */
  async sendFile<Name extends Uploads>(
    name: Name,
    path: string,
    input: Omit<Input<Name>, "body"> & { readonly key?: string },
  ): Promise<{ readonly answer: AnswerOf<Table[Name]>; readonly isReplayed: boolean }> {
    const request = requestFor(name, input);
    const key = input.key ?? (await keyOfFile(request, path));
    const headers = { "content-type": "application/octet-stream", "idempotency-key": key };
    const answer = await this.#sendUntilAnswered(() => ({
      ...request,
      headers,
      body: createReadStream(path),
    }));
    const isReplayed = answer.headers["idempotency-replayed"] === "true";
    return { answer: await this.#documentOf(name, answer), isReplayed };
  }

  /**
   * Sends a request. While an earlier one with the same key is still being processed, it waits and
   * tries again: the server may have been killed while it processed that request, and detects this
   * within seconds.
   */
  async #sendUntilAnswered(request: () => Request): Promise<Answer> {
    const deadlineMs = systemClock.monotonicMs() + RUNNING_MS;
    for (let isTold = false; ; isTold = true) {
      try {
        return await this.#transport.send(request());
      } catch (error) {
        const isRunning = error instanceof CliError && error.code === "request_in_progress";
        if (!isRunning || systemClock.monotonicMs() >= deadlineMs) throw error;
        if (!isTold)
          say("The server is still processing the same request. Waiting for its response.");
        await systemClock.sleep(RUNNING_PAUSE_MS);
      }
    }
  }

  /**
   * Downloads a file of the server in pieces.
   *
   * @example
   * ```ts
   * import { text } from "node:stream/consumers";
   *
   * const input = { params: { currency: "INR" }, query: {} };
   * const template = await text(client.readFile("GET /api/templates/:currency", input));
   * console.log(template.split(",").slice(1, 3)); // → [ 'currency_code', 'transaction_amount' ]
   * ```
   */
  async *readFile<Name extends OperationName>(
    name: Name,
    ...[input]: OptionalInput<Name>
  ): AsyncGenerator<Uint8Array> {
    const { body } = await this.#transport.send(requestFor(name, input ?? {}));
    yield* body;
  }

  async #documentOf<Name extends OperationName>(
    name: Name,
    answer: Answer,
  ): Promise<AnswerOf<Table[Name]>> {
    const { answer: schema }: ApiOperation = API[name];
    const said = await text(answer.body);
    if (typeof schema === "string") return undefined as AnswerOf<Table[Name]>;
    const { server } = this.#transport;
    if (server === null) return JSON.parse(said) as AnswerOf<Table[Name]>;
    const read = schema.safeParse(documentIn(said));
    if (read.success) return read.data as AnswerOf<Table[Name]>;
    throw new CliError(
      EXIT.unexpected,
      `This version of payrun (${version}) does not understand the response from the server at ${server}. Is the server running the same version of payrun?`,
    );
  }
}

/** Returns the key of an upload, which is the same for the same file and purpose. */
async function keyOfFile({ method, address }: Request, path: string): Promise<string> {
  const { digestOf } = await import("#flows/intake/ingest.ts");
  const digest = await digestOf(createReadStream(path));
  return createHash("sha256").update(`${method} ${address} ${digest}`).digest("hex");
}

function documentIn(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

type Word = string | number | boolean | undefined;

function requestFor(name: OperationName, input: object): Request {
  const { params = {}, query = {} } = input as {
    params?: Record<string, string>;
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
  const address = asked.size === 0 ? filled : `${filled}?${asked.toString()}`;
  return { operation: name, params, method, address };
}
