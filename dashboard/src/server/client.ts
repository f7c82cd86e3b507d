/**
 * The typed client of the HTTP API. It takes only the types from the server's table of API
 * operations, and loads no server code.
 */
import type { API, OperationName } from "#api/api.ts";
import type { ProblemDocument } from "#api/app/shapes.ts";
import type { AnswerOf, InputFor, ParamsFor, QueryFor } from "#api/app/operation.ts";
import { addressOf } from "./address.ts";
import { messages } from "../base/messages.ts";
import { findKept, keepAnswer } from "./kept-answers.ts";
import { presenceHeader } from "./presence.ts";

type Table = typeof API;
type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

export type { OperationName };

/** The JSON body of a successful response, by API operation. */
export type Answer<Name extends OperationName> = AnswerOf<Table[Name]>;

/** The parameters, query and body of a request, by API operation. */
export type Input<Name extends OperationName> = InputFor<Table[Name]> & {
  /**
   * Prevents duplicate creation. Use one key for each created thing, and the same key in every
   * retry.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /**
   * The action that the person confirms with the password or a code: "approve inr.csv".
   * Without it, the dialog describes the operation.
   */
  readonly confirms?: string;
};
type Given<Name extends OperationName> =
  {} extends Input<Name> ? readonly [input?: Input<Name>] : readonly [input: Input<Name>];

/** A refusal by the server, with its reason. `code` is stable. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly document: ProblemDocument;
  constructor(document: ProblemDocument) {
    super(document.detail ?? document.title);
    this.document = document;
  }
  get code(): string {
    return this.document.code;
  }
}

/** No readable answer arrived, so it is not known whether a requested action was done. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** False for a request that only reads. */
  readonly mayBeDone: boolean;
  constructor(method: string, cause?: unknown) {
    super(messages.errors.noAnswer, { cause });
    this.mayBeDone = method !== "GET";
  }
}

/** The CSRF token of the session, sent with every request that changes something. */
let csrfToken: string | null = null;

/** Sets the CSRF token of the session; null without a session. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Called when the session has ended. */
let signedOut = (): void => {};

/** Sets the action for a session that has ended. */
export function onSignedOut(then: () => void): void {
  signedOut = then;
}

/** Runs the action for a session that has ended. */
export const reportSignedOut = (): void => signedOut();

/** Called when the cookie belongs to another session than the page. Returns the text to show. */
let otherSession = async (): Promise<Words | null> => null;
type Words = Pick<ProblemDocument, "title" | "detail">;

/** Sets the check for requests that the server refuses because the session has changed. */
export function onOtherSession(look: () => Promise<Words | null>): void {
  otherSession = look;
}

/** The action for which the server asks for the password or a code. */
export interface ConfirmedAction {
  readonly name: OperationName;
  /** The action in words, if its page states them. */
  readonly confirms: string | undefined;
}

/** Asks the person for the identity check that the server requires. False: they declined. */
let proven = async (_action: ConfirmedAction): Promise<boolean> => false;

/** Sets the identity check for requests that require one. */
export function onStepUp(ask: (action: ConfirmedAction) => Promise<boolean>): void {
  proven = ask;
}

/**
 * `call("GET /api/payouts/:code", { params: { code } })`: one request, its JSON answer, or an error
 * that says why not.
 */
export async function call<Name extends OperationName>(
  name: Name,
  ...[input]: Given<Name>
): Promise<Answer<Name>> {
  const { method, address } = addressOf(name, input ?? {});
  const headers = new Headers({ accept: "application/json", ...presenceHeader() });
  if (method !== "GET" && csrfToken) headers.set("x-payrun-csrf", csrfToken);
  if (input?.idempotencyKey) headers.set("idempotency-key", input.idempotencyKey);
  const init: Init = { method, headers, credentials: "same-origin" };
  if (input?.signal) init.signal = input.signal;
  if (input?.body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(input.body);
  }
  const known = method === "GET" ? findKept<Answer<Name>>(address) : null;
  if (known !== null) headers.set("if-none-match", known.tag);
  const response = await send(address, init, { name, confirms: input?.confirms });
  if (response.status === 204) return undefined as Answer<Name>;
  if (known !== null && response.status === UNCHANGED) return known.document;
  const document = await documentIn<Answer<Name>>(response, init);
  const tag = method === "GET" ? response.headers.get("etag") : null;
  if (tag !== null) keepAnswer(address, { tag, document });
  return document;
}

/** The status of an answer that has not changed since the page received it. */
const UNCHANGED = 304;

type Init = RequestInit & { readonly method: string };

async function documentIn<Document>(
  response: Response,
  { method, signal }: Pick<Init, "method" | "signal">,
): Promise<Document> {
  try {
    return (await response.json()) as Document;
  } catch (cause) {
    // The server has answered, so the action is done, but the answer did not arrive completely.
    if (signal?.aborted) throw cause;
    throw new NoAnswer(method, cause);
  }
}

/**
 * Downloads a file under the name that the server gives it. Throws the refusal instead of opening
 * it as a page.
 */
export async function downloadFile<Name extends OperationName>(
  name: Name,
  ...[input]: Given<Name>
): Promise<void> {
  const { address } = addressOf(name, input ?? {});
  const init = { method: "GET", headers: presenceHeader(), credentials: "same-origin" } as const;
  const response = await send(address, init, { name, confirms: undefined });
  const [, fileName = "file"] =
    /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** A browser may start to save the file some time after the click. */
const KEPT_MS = 60_000;

/** Returns the answer, or throws the reason why there is none. */
async function send(address: string, init: Init, action: ConfirmedAction): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new NoAnswer(init.method, cause);
  }
  if (response.ok || response.status === UNCHANGED) return response;
  const refusal = await refusalIn(response, init.method);
  const isToBeProven = refusal instanceof ApiProblem && refusal.code === "step_up_required";
  if (isToBeProven && (await proven(action))) return send(address, init, action);
  throw refusal;
}

async function refusalIn(response: Response, method: string): Promise<ApiProblem | NoAnswer> {
  const document = await problemOf(response);
  const isAway = document.code === NO_DOCUMENT && response.status >= 500;
  return isAway ? new NoAnswer(method) : new ApiProblem(document);
}

/** Uploads a file and reports the progress, which `fetch` cannot. */
export async function uploadFile<Name extends OperationName>(
  name: Name,
  file: Blob,
  { onProgress, ...input }: FileInput<Name>,
): Promise<Answer<Name>> {
  const { method, address } = addressOf(name, input);
  const request = new XMLHttpRequest();
  request.open(method, address);
  request.responseType = "text";
  for (const [name, value] of Object.entries({ accept: "application/json", ...presenceHeader() })) {
    request.setRequestHeader(name, value);
  }
  request.setRequestHeader("content-type", "application/octet-stream");
  request.setRequestHeader("idempotency-key", input.idempotencyKey);
  if (csrfToken) request.setRequestHeader("x-payrun-csrf", csrfToken);
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
  const response = await new Promise<Response>((resolve, reject) => {
    request.addEventListener("error", () => reject(new NoAnswer(method)));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      resolve(new Response(responseText || null, { status }));
    });
    request.send(file);
  });
  if (response.ok) return documentIn(response, { method });
  throw await refusalIn(response, method);
}

type FileInput<Name extends OperationName> = Part<"params", ParamsFor<Table[Name]>> &
  Part<"query", QueryFor<Table[Name]>> & {
    readonly idempotencyKey: string;
    /** From 0 to 1. */
    readonly onProgress: (share: number) => void;
  };

/** The code of an answer without a problem document, from a proxy or a stopping server. */
const NO_DOCUMENT = "no_document";

async function problemOf(response: Response): Promise<ProblemDocument> {
  if (response.status === 401) signedOut();
  try {
    const document = (await response.json()) as ProblemDocument;
    if (document.code === "cross_site_request") return { ...document, ...(await otherSession()) };
    if (typeof document.code === "string") return document;
  } catch {
    // No problem document.
  }
  const title = messages.errors.answered(response.status);
  return { type: "about:blank", title, status: response.status, code: NO_DOCUMENT };
}
