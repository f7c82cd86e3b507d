import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ProblemDocument } from "#api/app/shapes.ts";
import { printable } from "#base/invisible-characters.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { type CliError, exitCodeOfStatus, fieldLines, refusalText } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor } from "#cli/terminal/output.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import { Refused, type Request, type Transport } from "#cli/terminal/transport.ts";
import type { LocalApi } from "#composition/local-schedules.ts";

/**
 * Words a refusal of the local ledger for the person at this machine. Null: it keeps the title and
 * detail of the API.
 */
export type LocalErrors = (request: Request, problem: ProblemDocument) => CliError | null;

/**
 * Runs commands with a client of this machine's ledger, in this process. The API is opened at the
 * first request, because most commands read the ledger directly and start faster without it.
 */
export async function withLocalApi(
  open: (actor: string) => Promise<LocalApi>,
  words: LocalErrors,
  run: (client: ApiClient) => Promise<void>,
): Promise<void> {
  // Loads the shapes of the whole API, which other commands do not need.
  const { ApiClient } = await import("#cli/terminal/api-client.ts");
  const opened: { api?: Promise<LocalApi> } = {};
  try {
    await run(new ApiClient(localTransport(() => (opened.api ??= open(currentActor())), words)));
  } finally {
    await (await opened.api)?.close();
  }
}

/** Calls the API of the given server, or of this machine's ledger in this process. */
export async function withLedgerApi(
  flags: ServerFlags,
  run: (client: Pick<ApiClient, "call" | "readFile">) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) return run(server);
  const { localBatchApi } = await import("#composition/local-batches.ts");
  return withLedger((open) =>
    withLocalApi(
      (actor) => localBatchApi(open, actor),
      () => null,
      run,
    ),
  );
}

/** Reaches the API of this machine's ledger in this process. */
const localTransport = (api: () => Promise<LocalApi>, words: LocalErrors): Transport => ({
  server: null,
  async send(request: Request) {
    const { method, address, headers: sent, body } = request;
    if (body instanceof Readable)
      throw new Error("With the local ledger, files are read from disk, not from a request body.");
    const given = {
      method,
      address,
      ...(sent && { headers: sent }),
      ...(body !== undefined && { body }),
    };
    const { status, headers, body: answered } = await (await api()).send(given);
    if (status >= 200 && status < 300) return { headers, body: answered };
    const problem = JSON.parse(await text(answered)) as ProblemDocument;
    const said = [refusalText(problem), ...fieldLines(problem).map(printable)].join("\n");
    throw words(request, problem) ?? new Refused(exitCodeOfStatus(problem.status), said, problem);
  },
});
