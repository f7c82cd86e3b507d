import type { Readable } from "node:stream";
import type { OperationName } from "#api/api.ts";
import type { ProblemDocument } from "#api/app/shapes.ts";
import { CliError, type ExitCode } from "#cli/terminal/exit.ts";

/** A request of the API client. */
export interface Request {
  readonly operation: OperationName;
  readonly params: Readonly<Record<string, string>>;
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
}

/** A successful answer, with the body still to be read. */
export interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** How the API client reaches the API: a server over HTTP, or this machine's ledger in process. */
export interface Transport {
  /**
   * Sends one request.
   * @throws CliError if it is not successful.
   */
  send(request: Request): Promise<Answer>;
  /** The address of the server. Null: answers come from this program itself. */
  readonly server: string | null;
}

/** A refusal with its reason. `code` is stable. */
export class Refused extends CliError {
  readonly document: ProblemDocument;

  constructor(exitCode: ExitCode, message: string, document: ProblemDocument) {
    super(exitCode, message, document.code);
    this.document = document;
  }
}
