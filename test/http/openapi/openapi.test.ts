/** What the author of a client finds in the description: it leaves no part open. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { openApi } from "#http/openapi/openapi.ts";
import { FIELD_KEYS, keyOf, placeOf } from "#http/openapi/fields.ts";
import { PROBLEMS } from "#api/app/problems.ts";

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const { paths, components } = openApi();
const PROBLEM: Schema = components.schemas.Problem;
const described = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    ...(operation as Described),
  })),
);
const table: Readonly<Record<string, ApiOperation>> = API;

test("describes every operation under a unique name", () => {
  expect(described.map(({ name }) => name).toSorted()).toEqual(Object.keys(API).toSorted());
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length);
  expect(described.filter(({ summary }) => summary.length < 8)).toEqual([]);
});

test("declares every placeholder of an address as a parameter", () => {
  const open = described.filter(({ name, parameters }) => {
    const inPath = parameters.filter((each) => each.in === "path").map((each) => each.name);
    const named = [...name.matchAll(/:(\w+)/g)].map(([, placeholder]) => placeholder);
    return inPath.join(" ") !== named.join(" ");
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

test("has a schema for every document and every refusal", () => {
  const open = described.filter(({ name, responses }) => {
    const { default: refusal, ...answers } = responses;
    const [answer] = Object.values(answers);
    const isDocument = typeof table[name]?.answer === "object";
    const schemas = [
      refusal?.content?.["application/problem+json"]?.schema?.$ref && PROBLEM,
      ...(isDocument ? [answer?.content?.["application/json"]?.schema] : []),
    ];
    return schemas.some((schema) => !schema || Object.keys(schema).length < 2);
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

test("lists the codes of all refusals with their HTTP status", () => {
  const lines = openApi().components.schemas.Problem.description.split("\n");
  for (const [code, { status }] of Object.entries(PROBLEMS)) {
    expect(lines.filter((line) => line.startsWith(`| \`${code}\` | ${status} |`))).toHaveLength(1);
  }
});

test("describes the body of every operation that changes something", () => {
  const open = described.filter(({ name, requestBody }) => {
    const { body, upload } = table[name] ?? {};
    return (body !== undefined || upload === true) !== (requestBody !== undefined);
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

/** Every field of the schema with the path that leads to it. */
function* fieldsIn(schema: Schema | undefined, path: readonly string[]): Generator<Field> {
  if (!schema) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name];
    yield { path: here, description: field.description };
    yield* fieldsIn(field, name === "items" ? path : here);
  }
  const { items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const rest = typeof additionalProperties === "object" ? [additionalProperties] : [];
  for (const each of [...(items ? [items] : []), ...rest, ...anyOf, ...oneOf])
    yield* fieldsIn(each, path);
}

interface Field {
  readonly path: readonly string[];
  readonly description: string | undefined;
}

const fields: Field[] = [...fieldsIn(PROBLEM, ["problem"])];
fields.push(
  ...described.flatMap(({ name, parameters, requestBody, responses }) => {
    const place = placeOf(name);
    const query = name.startsWith("GET ") ? "query" : "options";
    const contents = [
      requestBody?.content,
      ...Object.values(responses).map((each) => each.content),
    ];
    return [
      ...parameters.map((each) => ({
        path: [
          ...(each.in === "path" ? ["path", place.split("/")[0] ?? ""] : [query, place]),
          each.name,
        ],
        description: each.description,
      })),
      ...contents.flatMap((content) => [
        ...fieldsIn(content?.["application/json"]?.schema, [place]),
      ]),
    ];
  }),
);

test("describes every operation in full sentences", () => {
  const open = described.filter(({ description }) => !/^[A-Z].*\.$/.test(description));
  expect(open.map(({ name }) => name)).toEqual([]);
});

test("describes every field and parameter in plain text", () => {
  expect(fields.length).toBeGreaterThan(3_000);
  const open = fields.filter(({ description = "" }) => !/^[A-Z`"].{4,}\.$/.test(description));
  expect([...new Set(open.map(({ path }) => path.join(".")))]).toEqual([]);
});

test("describes versions of breaks and days, not of builds", () => {
  const builds = fields.filter(({ description = "" }) => description.includes("payrun build"));
  expect(builds.map(({ path }) => path.join("."))).toEqual(["operations.workers.version"]);
});

test("describes each field once", async () => {
  const maps = await Promise.all(
    [
      "batch-list",
      "batches",
      "days",
      "freeze",
      "operations",
      "payments",
      "payout-actions",
      "people",
      "reconciliation",
      "repeated",
      "reports",
      "retries",
      "review",
      "rows",
    ].map((name) => readFile(`src/http/openapi/${name}.ts`, "utf8")),
  );
  const keys = maps.flatMap((text) =>
    [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key),
  );
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test("has no description of a field that no longer exists", () => {
  const used = new Set(fields.map(({ path }) => keyOf(path)));
  expect(FIELD_KEYS.filter((key) => !used.has(key))).toEqual([]);
});

test("refers only to shared schemas that its document contains", () => {
  const text = JSON.stringify(openApi());
  const names = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, name = ""]) => name);
  const shared = Object.keys(components.schemas);
  expect(text).not.toContain('"$defs"');
  expect(names.length).toBeGreaterThan(0);
  expect(
    names.filter((name) => !shared.includes(name.replace("#/components/schemas/", ""))),
  ).toEqual([]);
});
