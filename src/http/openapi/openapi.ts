import { z } from "zod";
import { API } from "#api/api.ts";
import { ProblemDocument } from "#api/app/shapes.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { placeOf, withDescriptions } from "#http/openapi/fields.ts";
import { PROBLEMS } from "#api/app/problems.ts";
import { sectionOf, TAGS } from "#http/openapi/sections.ts";
import { QUICKSTART } from "#http/openapi/quickstart.ts";
import { version } from "#base/version.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** Markdown, as the OpenAPI specification permits. */
const ERRORS = `Errors are problem documents (RFC 9457) with a stable code. Later versions may add codes.

| Code | HTTP status | Meaning |
|---|---|---|
${Object.entries(PROBLEMS)
  .map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`)
  .join("\n")}`;
const DESCRIPTION = `${QUICKSTART}
## Conventions

Amounts are exact decimal strings with a currency. Times are in ISO 8601 format, in UTC. JSON responses to GET requests have an \`ETag\`; a request that sends it as \`If-None-Match\` gets status 304 without a body if the response has not changed. All errors have the format \`Problem\`, whose description lists their codes.`;
const PROBLEM_SCHEMA = {
  ...(schemaOf(ProblemDocument, "output", ["problem"]) as object),
  description: ERRORS,
};

/** Creates the OpenAPI 3.1 description from the table of API operations. */
export const openApi = () => ({
  openapi: "3.1.0",
  info: {
    title: "payrun",
    version,
    description: DESCRIPTION,
  },
  tags: TAGS,
  paths: paths(),
  components: {
    schemas: { Problem: PROBLEM_SCHEMA },
    securitySchemes: {
      key: {
        type: "http" as const,
        scheme: "bearer",
        description: "API key that starts with `pk_`",
      },
      session: { type: "apiKey" as const, in: "cookie", name: "__Host-payrun" },
    },
  },
});

function paths(): Record<string, Record<string, unknown>> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries<ApiOperation>(API)) {
    const [method = "", path = ""] = name.split(" ");
    const place = path.replaceAll(/:(\w+)/g, "{$1}");
    (found[place] ??= {})[method.toLowerCase()] = described(name, operation);
  }
  return found;
}

function described(name: string, operation: ApiOperation) {
  const { permission, summary, params, query, body, creates, secret, upload, keys } = operation;
  const place = placeOf(name);
  const security = [{ session: [] }, ...(keys === false ? [] : [{ key: [] }])];
  return {
    operationId: name.replaceAll(/\W+/g, "_").toLowerCase(),
    summary,
    tags: [sectionOf(name)],
    description: conditionsOf(operation),
    security: permission === "public" ? [] : security,
    parameters: [
      ...parametersIn("path", params, ["path", place.split("/")[0] ?? ""]),
      ...parametersIn("query", query, [name.startsWith("GET ") ? "query" : "options", place]).map(
        // A request with JSON has no query.
        (each) => (upload && body ? { ...each, required: false } : each),
      ),
      ...(creates && !secret ? [{ ...IDEMPOTENCY_KEY, required: creates === "with_key" }] : []),
    ],
    ...(body || upload ? { requestBody: requestBody(operation, place) } : {}),
    responses: {
      [creates ? 201 : operation.answer === "nothing" ? 204 : 200]: answered(
        operation.answer,
        place,
      ),
      default: { description: "Error", content: { "application/problem+json": PROBLEM } },
    },
  };
}

/** The conditions for calling the operation, as sentences. */
function conditionsOf({
  permission,
  creates,
  secret,
  stepUp,
  keys,
  upload,
  body,
}: ApiOperation): string {
  return [
    CALLERS[permission] ?? `Requires the \`${permission}\` permission.`,
    keys === false && permission !== "public" && "API keys cannot call this operation.",
    stepUp === true &&
      "Requires that you signed in, or entered your password or code again, within the last five minutes.",
    stepUp === "or_first_factor" &&
      "Requires that you signed in, or entered your password or code again, within the last five minutes. A user whose role requires a second factor but who has not set one up yet must instead have signed in within the last 15 minutes.",
    upload &&
      body &&
      "The query parameters apply to files; in a JSON request, they are part of the body.",
    creates === "with_key" &&
      "Requires the Idempotency-Key header. The key permanently identifies the payout.",
    creates === true && !secret && "Supports the Idempotency-Key header.",
    secret &&
      "The response contains a secret that is shown only once. Repeating the request does not return the secret again.",
  ]
    .filter(Boolean)
    .join(" ");
}

const CALLERS: Readonly<Record<string, string>> = {
  public: "Does not require sign-in.",
  signed_in: "Requires sign-in.",
};

function schemaOf(schema: z.ZodType, io: "input" | "output", path: readonly string[]): Schema {
  const options = { io, target: "draft-2020-12", unrepresentable: "any" } as const;
  const plain = z.toJSONSchema(schema, options) as Parameters<typeof withDescriptions>[0];
  return withDescriptions(plain, path);
}

const PROBLEM = { schema: { $ref: "#/components/schemas/Problem" } };
const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Key of 1–200 visible characters. For 24 hours, repeating the request with the same key does not create anything new: payrun returns the original response with the header `Idempotency-Replayed: true`.",
  schema: { type: "string", maxLength: 200 },
};

function parametersIn(
  place: "path" | "query",
  schema: z.ZodType | undefined,
  path: readonly string[],
): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input", path);
  return Object.entries(properties).map(([name, { description, ...each }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    description,
    schema: each,
  }));
}

const requestBody = ({ body, upload }: ApiOperation, place: string) => ({
  required: true,
  content: {
    ...(body && { "application/json": { schema: schemaOf(body, "input", [place]) } }),
    ...(upload && { "*/*": { schema: { type: "string", format: "binary" } } }),
  },
});

function answered(answer: ApiOperation["answer"], place: string) {
  if (answer === "nothing") return { description: "No content" };
  if (answer === "file") return { description: "File", content: { "*/*": {} } };
  if (answer === "events")
    return { description: "Event stream", content: { "text/event-stream": {} } };
  const schema = schemaOf(answer, "output", [place]);
  return { description: "Response", content: { "application/json": { schema } } };
}
