import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { OperationName } from "#api/api.ts";
import type { ProblemDocument } from "#api/app/shapes.ts";
import { ApiClient } from "#cli/terminal/api-client.ts";
import { type CliError, endingOf, refusalText } from "#cli/terminal/exit.ts";
import { actor } from "#cli/terminal/output.ts";
import { Refused, type Request, type Transport } from "#cli/terminal/transport.ts";
import type { LocalApi } from "#composition/local-api.ts";

/**
 * Words a refusal of the local ledger for the person at this machine. Null: it keeps the title and
 * detail of the API.
 */
export type LocalWords = (
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  problem: ProblemDocument,
) => CliError | null;

/** Runs commands on the API of this machine's ledger, in this process, and closes it. */
export async function withLocalApi(
  open: (actor: string) => Promise<LocalApi>,
  words: LocalWords,
  run: (client: ApiClient) => Promise<void>,
): Promise<void> {
  const api = await open(actor());
  try {
    await run(new ApiClient(localTransport(api, words)));
  } finally {
    await api.close();
  }
}

/** Reaches the API of this machine's ledger in this process. */
const localTransport = (api: LocalApi, words: LocalWords): Transport => ({
  server: null,
  async send({ operation, params, body, ...request }: Request) {
    if (body instanceof Readable) throw new Error("The local ledger reads files in place.");
    const given = { ...request, ...(body !== undefined && { body }) };
    const { status, headers, body: answered } = await api.send(given);
    if (status >= 200 && status < 300) return { headers, body: answered };
    const problem = JSON.parse(await text(answered)) as ProblemDocument;
    throw (
      words(operation, params, problem) ??
      new Refused(endingOf(problem.status), refusalText(problem), problem)
    );
  },
});
