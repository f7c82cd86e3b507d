/** Example requests of an endpoint. */
import type { Endpoint, Parameter, Schema } from "./description.ts";
import { alternativesOf } from "./schema-fields.ts";

/** An example in a description, such as `INR` in "such as INR". */
const EXAMPLE = /\bsuch as (?:"([^"]+)"|`([^`]+)`|([A-Z][\w-]*))/;
/** The end of a description of a field that a valid request contains. */
const NEEDED = /\bRequired\.$/;
const TIME = "2026-12-31T09:00:00Z";

/** Returns the request as a shell command. It uses the key file of the quickstart. */
export function curlOf(endpoint: Endpoint, server: string): string {
  const { method, parameters } = endpoint;
  const body = bodyOf(endpoint);
  const needsMethod = method !== (body === undefined ? "GET" : "POST");
  const address = `${server}${pathWithValues(endpoint)}${queryOf(parameters)}`;
  return [
    "curl --fail-with-body --header @key.header",
    ...(needsMethod ? [`--request ${method}`] : []),
    ...(keyOf(parameters) ? ["--header 'Idempotency-Key: KEY'"] : []),
    ...bodyOptions(body),
    quoted(address),
  ].join(" \\\n  ");
}

/** Returns the call of the typed client. */
export function typescriptOf(endpoint: Endpoint): string {
  const { method, path, parameters } = endpoint;
  const body = bodyOf(endpoint);
  const parts = [
    ...partOf("path", valuesIn("path", parameters)),
    ...partOf("query", valuesIn("query", parameters)),
    ...(body === undefined ? [] : [`body: ${body === FILE ? READ_FILE : literal(body)},`]),
    ...(keyOf(parameters) ? [`idempotencyKey: "KEY",`] : []),
  ];
  const name = JSON.stringify(`${method} ${path}`);
  if (parts.length === 0) return `await payrun.call(${name});`;
  return `await payrun.call(${name}, {\n${parts.map(indented).join("\n")}\n});`;
}

const FILE = Symbol("file");
const READ_FILE = `await readFile("payouts.csv")`;

/** The body of the request: a JSON value, a file, or undefined for none. */
function bodyOf({ requestBody }: Endpoint): unknown {
  if (!requestBody) return undefined;
  const json = requestBody.content["application/json"];
  return json ? exampleOf(json.schema ?? {}, "body") : FILE;
}

function bodyOptions(body: unknown): readonly string[] {
  if (body === undefined) return [];
  if (body !== FILE) return [`--json ${quoted(JSON.stringify(body, null, 2))}`];
  return ["--header 'Content-Type: application/octet-stream'", "--data-binary @payouts.csv"];
}

const keyOf = (parameters: readonly Parameter[]): boolean =>
  parameters.some((each) => each.in === "header");

const pathWithValues = ({ path, parameters }: Endpoint): string => {
  const values = valuesIn("path", parameters);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
};

function queryOf(parameters: readonly Parameter[]): string {
  const values = Object.entries(valuesIn("query", parameters));
  const pairs = values.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Examples of the required parameters at this place. */
const valuesIn = (place: "path" | "query", parameters: readonly Parameter[]) =>
  Object.fromEntries(
    parameters
      .filter((each) => each.in === place && each.required)
      .map(({ name, schema, description = "" }) => [
        name,
        exampleOf({ ...schema, description }, name),
      ]),
  );

/** Returns a value that fits the schema. An object has only the fields that it needs. */
function exampleOf(schema: Schema, name: string): unknown {
  const [first = {}] = alternativesOf(schema);
  const [, ...given] = EXAMPLE.exec(schema.description ?? "") ?? [];
  const stated = first.examples?.[0] ?? first.const ?? first.enum?.[0];
  if (stated !== undefined) return stated;
  if (first.items) return [exampleOf(first.items, name)];
  if (first.properties) return objectOf(first);
  if (first.type === "boolean") return true;
  if (first.type === "integer" || first.type === "number") return Math.max(first.minimum ?? 1, 1);
  if (first.type === "object") return {};
  if (first.format === "date-time") return TIME;
  return given.find((each) => each !== undefined) ?? name.toUpperCase();
}

const objectOf = ({ properties = {}, required = [] }: Schema) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, { description = "" }]) => required.includes(name) || NEEDED.test(description))
      .map(([name, schema]) => [name, exampleOf(schema, name)]),
  );

function partOf(name: string, values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(values).length === 0 ? [] : [`${name}: ${literal(values)},`];
}

/** A value as an expression, with plain names of fields. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
  return text.includes("\n") && text.length < LINE_MAX ? text.replaceAll(/\s*\n\s*/g, " ") : text;
}

const LINE_MAX = 60;

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
