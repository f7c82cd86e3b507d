/** What the author of a client finds in the description: it leaves no part open. */
import { expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { Operation } from "#api/operation.ts";
import { openApi } from "#http/openapi.ts";
import { PROBLEMS } from "#http/problems.ts";

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema?: object }>> }>
  >;
}

const described = Object.entries(openApi().paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    ...(operation as Described),
  })),
);
const table: Readonly<Record<string, Operation>> = API;

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
      refusal?.content?.["application/problem+json"]?.schema,
      ...(isDocument ? [answer?.content?.["application/json"]?.schema] : []),
    ];
    return schemas.some((schema) => !schema || Object.keys(schema).length < 2);
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

test("lists the codes of all refusals with their HTTP status", () => {
  const lines = openApi().info.description.split("\n");
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
