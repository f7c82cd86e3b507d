import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { describeRequirement } from "#base/schema-issues.ts";
import { visible } from "#base/invisible-characters.ts";
import { Problem } from "#api/app/problems.ts";

/** Whether a body follows, according to the headers. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;

/**
 * Checks the type before the body is read, so that the sender learns the required type.
 *
 * @throws Problem if the operation expects another type.
 */
export function refuseType({ headers }: FastifyRequest, { body, upload }: ApiOperation): void {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const isJson = type === "application/json";
  if (upload && ((isJson && !body) || type?.startsWith("multipart/"))) {
    const detail =
      "Send the file as the request body, not as a form, with the content type application/octet-stream.";
    throw new Problem("unsupported_type", { detail });
  }
  if (body && !upload && hasBody(headers) && !isJson) {
    const detail = "Send a JSON document with the content type application/json.";
    throw new Problem("unsupported_type", { detail });
  }
}

/** Characters that PostgreSQL cannot store in a text: U+0000 and lone surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const BAD_CHARACTER = "contains an invalid character (U+0000 or an unpaired surrogate). Remove it";
const UNSTORABLE_LISTED_MAX = 20;

/**
 * Returns the locations of such texts, such as "body.rows.3". Not recursive: bodies may be deep.
 */
function findUnstorable(given: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  const left: [place: string, value: unknown][] = Object.entries(given);
  while (left.length > 0 && found.length < UNSTORABLE_LISTED_MAX) {
    const [place, value] = left.pop() ?? ["", null];
    if (typeof value === "string" && UNSTORABLE.test(value)) found.push(place);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, each] of Object.entries(value)) {
      if (UNSTORABLE.test(name)) found.push(place);
      left.push([`${place}.${visible(name)}`, each]);
    }
  }
  return found;
}

/** For operations without query parameters: a client that sends one would expect an effect. */
const NO_QUERY = z.strictObject({});

/** Maximum number of invalid places that a refusal lists. */
const PLACES_LISTED_MAX = 1_000;

/**
 * Returns a function that reads a request as the operation describes it. The function throws a
 * Problem that lists the errors of all parts, because they are one schema.
 */
export function requestReader({ params, query = NO_QUERY, body, upload }: ApiOperation) {
  const schemaOf = (parts: z.ZodRawShape) => z.object({ ...(params && { params }), ...parts });
  const withFile = schemaOf({ query });
  const withJson = body && schemaOf({ query: upload ? NO_QUERY : query, body });
  return (request: FastifyRequest) => {
    const isJson = !(request.body instanceof Readable);
    const isFile = !withJson || (upload && (!isJson || request.body === undefined));
    const given = {
      params: request.params,
      query: request.query,
      body: isJson && !isFile ? request.body : undefined,
    };
    const unkept = findUnstorable(given).map((place) => ({ place, message: BAD_CHARACTER }));
    if (unkept.length > 0) throw new Problem("invalid_request", { places: unkept });
    const read = (isFile ? withFile : withJson).safeParse(given, { error: describeRequirement });
    if (read.success) return read.data;
    const places = read.error.issues.slice(0, PLACES_LISTED_MAX).map(({ path, message }) => ({
      place: path.join("."),
      message,
    }));
    throw new Problem("invalid_request", { places });
  };
}
