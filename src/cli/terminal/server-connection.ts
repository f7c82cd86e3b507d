import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ProblemDocument } from "#api/app/shapes.ts";
import { visible } from "#base/invisible-characters.ts";
import { CliError, EXIT, exitCodeOfStatus, fieldLines, refusalText } from "#cli/terminal/exit.ts";
import { Refused, type Request, type Transport } from "#cli/terminal/transport.ts";
import { systemClock } from "#base/clock.ts";
import type { Secret } from "#base/secret.ts";
import { version } from "#base/version.ts";

/** The address of a server, and the key with which it recognises us. */
export interface ServerConnection {
  /** Without a trailing slash. */
  readonly base: string;
  readonly key: Secret;
}

/** Milliseconds of silence that end a request. The server may take long to read a file. */
const SILENCE_MS = 120_000;
const SILENCE_AFTER_FILE_MS = 1_800_000;

/**
 * Pauses before a read request is sent again. Orders are not repeated: it is unknown whether they
 * were carried out.
 */
const RETRY_PAUSES_MS = [500, 2_000];
const TRANSIENT_STATUSES = new Set([502, 503, 504]);

/** Reaches the API of a server over HTTP. */
export const httpTransport = (line: ServerConnection): Transport => ({
  server: line.base,
  async send(request) {
    const answer = await sendWithRetries(line, request);
    return { headers: answer.headers, body: detectBrokenBody(answer, line) };
  },
});

async function* detectBrokenBody(
  answer: IncomingMessage,
  line: ServerConnection,
): AsyncGenerator<Uint8Array> {
  try {
    yield* answer as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreachable(line, true, error);
  }
}

/**
 * Sends one request and returns its answer, with the body still to be read.
 * @throws CliError if it is not successful.
 */
async function sendWithRetries(line: ServerConnection, request: Request): Promise<IncomingMessage> {
  const isQuestion = request.method === "GET";
  for (let tries = 0; ; tries++) {
    const pauseMs = isQuestion ? RETRY_PAUSES_MS[tries] : undefined;
    try {
      const answer = await send(line, request);
      const { statusCode: status = 0 } = answer;
      if (pauseMs === undefined || !TRANSIENT_STATUSES.has(status))
        return await accepted(answer, line, isQuestion);
      answer.resume();
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (pauseMs === undefined) throw unreachable(line, isQuestion, error);
    }
    await systemClock.sleep(pauseMs);
  }
}

const unreachable = ({ base }: ServerConnection, isQuestion: boolean, error: unknown): CliError => {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CliError(
    EXIT.unreachable,
    `The server at ${base} cannot be reached: ${message || code || "unknown cause"}.${isQuestion ? "" : OUTCOME_UNKNOWN}`,
  );
};

const OUTCOME_UNKNOWN =
  " The request may or may not have been carried out. Check this before you repeat the request.";

/** Redirects are not followed: the key is sent only to the given address. */
async function send(
  { base, key }: ServerConnection,
  { method, address, headers = {}, body }: Request,
): Promise<IncomingMessage> {
  const open = base.startsWith("https:") ? requestHttps : requestHttp;
  const request = open(`${base}${address}`, {
    method,
    headers: {
      authorization: `Bearer ${key.reveal()}`,
      "user-agent": `payrun/${version}`,
      ...headers,
    },
  });
  const isFile = body instanceof Readable;
  const silenceMs = isFile ? SILENCE_AFTER_FILE_MS : SILENCE_MS;
  request.setTimeout(silenceMs, () => request.destroy(new Error("it is not responding")));
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  if (isFile) body.once("error", (error) => request.destroy(error)).pipe(request);
  else request.end(body);
  const [answer] = await answered;
  return answer;
}

async function accepted(
  answer: IncomingMessage,
  { base }: ServerConnection,
  isQuestion: boolean,
): Promise<IncomingMessage> {
  const { statusCode: status = 0, headers } = answer;
  if (status >= 200 && status < 300) {
    if (!/^text\/html\b/i.test(headers["content-type"] ?? "")) return answer;
    // The page of a dashboard or of another server. Saved as a file, it could be mistaken for the
    // report.
    answer.destroy();
    throw new CliError(
      EXIT.usage,
      `The server at ${base} returned a web page, so it is not payrun. Specify payrun's URL with --server, such as https://pay.example.`,
    );
  }
  if (status >= 300 && status < 400) {
    answer.destroy();
    throw new CliError(
      EXIT.usage,
      `The server at ${base} redirects to ${visible(headers.location ?? "nowhere")}. payrun does not follow redirects: specify the correct URL with --server.`,
    );
  }
  const said = await text(answer).catch(() => "");
  // The rest of a refused file is not sent.
  answer.destroy();
  throw refusal(status, documentIn(said), base, isQuestion);
}

function documentIn(body: string): ProblemDocument | null {
  try {
    const document = JSON.parse(body) as ProblemDocument;
    return typeof document.code === "string" ? document : null;
  } catch {
    return null;
  }
}

function refusal(
  status: number,
  document: ProblemDocument | null,
  base: string,
  isQuestion: boolean,
): CliError {
  const exitCode = exitCodeOfStatus(status);
  if (!document) {
    const words =
      status === 404
        ? " Is payrun running at this URL?"
        : " A proxy in front of the server may have responded.";
    // A proxy that times out does not know what payrun does in the meantime.
    const left = status < 500 || isQuestion ? "" : OUTCOME_UNKNOWN;
    return new CliError(
      exitCode,
      `The server at ${base} returned HTTP ${status}, and the response was not in payrun's format.${words}${left}`,
    );
  }
  const said = [refusalText(document), ...fieldLines(document), ...linesOf(document["problems"])];
  return new Refused(exitCode, said.map(printable).join("\n"), document);
}

const PROBLEMS_PRINTED_MAX = 20;

/** Formats the problems of a file as a whole, with the corrections. */
function linesOf(problems: unknown): string[] {
  if (!Array.isArray(problems)) return [];
  const said = problems.slice(0, PROBLEMS_PRINTED_MAX) as Partial<Record<string, unknown>>[];
  return said.map(({ line, message, correction }) => {
    const place = typeof line === "number" ? `line ${line}: ` : "";
    return `  ${place}${String(message)} ${String(correction)}`;
  });
}

/** Foreign text must not control our terminal. */
const printable = (words: string): string => words.replaceAll(/\p{Cc}/gu, " ");
