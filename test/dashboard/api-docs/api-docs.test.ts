/** The documentation of every endpoint: its place, its fields and its example requests. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import {
  apiDocsOf,
  type Endpoint,
  isForKeys,
  type OpenApiDocument,
} from "../../../dashboard/src/pages/api-docs/description.ts";
import { curlOf, typescriptOf } from "../../../dashboard/src/pages/api-docs/examples.ts";
import {
  entryOf,
  errorCodesOf,
  findEndpoints,
} from "../../../dashboard/src/pages/api-docs/find.ts";
import { variantsOf } from "../../../dashboard/src/pages/api-docs/schema-fields.ts";
import { API } from "#api/api.ts";
import { PROBLEMS } from "#api/app/problems.ts";
import { openApi } from "#http/openapi/openapi.ts";
import { ROOT, scratch } from "../../support/servers/payrun.ts";

const SERVER = "https://pay.company.test";
const document = JSON.parse(JSON.stringify(openApi())) as OpenApiDocument;
const docs = apiDocsOf(document, SERVER);
const endpoints = docs.sections.flatMap((section) => section.endpoints);

const endpointAt = (name: string): Endpoint => {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (!found) throw new Error(`no endpoint ${name}`);
  return found;
};

describe("the contents", () => {
  test("contain each operation once, in a section with its own address", () => {
    expect(endpoints).toHaveLength(Object.keys(API).length);
    const addresses = [
      ...docs.sections.map(({ slug }) => slug),
      ...endpoints.map(({ operationId }) => operationId),
      "errors",
    ];
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses.filter((each) => !/^[\w-]+$/.test(each))).toEqual([]);
    expect(addresses.map((each) => entryOf(docs, each).kind)).not.toContain("unknown");
    expect(entryOf(docs, "nothing").kind).toBe("unknown");
  });

  test("find endpoints by words of the method, path and summary, in any order", () => {
    const found = findEndpoints(docs, " Approve post batches ").map(({ path }) => path);
    expect(found).toContain("/api/batches/{id}/approve");
    expect(findEndpoints(docs, "approve nothingness")).toEqual([]);
  });

  test("list every error code with its status", () => {
    const expected = Object.entries(PROBLEMS).map(([code, { status }]) => [code, String(status)]);
    expect(errorCodesOf(docs).map(([code, status]) => [code, status])).toEqual(expected);
  });

  test("name this server in the quickstart", () => {
    expect(docs.quickstart).toContain(`${SERVER}/api/batches`);
    expect(docs.quickstart).not.toContain("pay.example");
  });
});

describe("the fields", () => {
  test("show types, limits, choices and nested objects", () => {
    const [variant] = variantsOf({
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "string", maxLength: 5, description: "A." },
        b: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }], default: 2 },
        c: {
          type: "array",
          maxItems: 2,
          items: { type: "object", properties: { d: { enum: ["x", "y"], type: "string" } } },
        },
      },
    });
    expect(variant?.fields).toMatchObject([
      { name: "a", type: "string", isRequired: true, rules: ["at most 5 characters"] },
      { name: "b", type: "integer or null", isRequired: false, rules: ["1–9", "default 2"] },
      { name: "c", type: "list of object", rules: ["at most 2 items"] },
    ]);
    expect(variant?.fields[2]?.variants[0]?.fields).toMatchObject([
      { name: "d", type: "string", choices: ["x", "y"] },
    ]);
  });

  test("name the forms of an object by the value that tells them apart", () => {
    const form = (kind: string, name: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [name]: { type: "string" } },
    });
    const variants = variantsOf({ oneOf: [form("row", "above"), form("total", "below")] });
    expect(variants.map(({ label }) => label)).toEqual(["kind: row", "kind: total"]);
  });

  test("describe the JSON response of every operation that has one", () => {
    const blank = endpoints.filter(({ responses }) => {
      const [answer] = Object.values(responses);
      const schema = answer?.content?.["application/json"]?.schema;
      return schema !== undefined && variantsOf(schema).length === 0;
    });
    expect(blank.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe("the examples", () => {
  test("call an endpoint with curl", () => {
    expect(curlOf(endpointAt("GET /api/batches/{id}"), SERVER)).toBe(
      `curl --fail-with-body --header @key.header \\\n  '${SERVER}/api/batches/ID'`,
    );
    const pause = curlOf(endpointAt("POST /api/batches/{id}/pause"), SERVER);
    expect(pause).toContain(`--json '{\n  "reason": "REASON"\n}'`);
    expect(pause).not.toContain("--request");
    const remove = curlOf(endpointAt("DELETE /api/channels/{id}"), SERVER);
    expect(remove).toContain("--request DELETE");
  });

  test("contain the required key of a request that creates a payout", () => {
    const payout = endpointAt("POST /api/payouts");
    expect(curlOf(payout, SERVER)).toContain("--header 'Idempotency-Key: KEY'");
    expect(typescriptOf(payout)).toContain(`idempotencyKey: "KEY"`);
  });

  test("compile with the typed client", { timeout: 60_000 }, () => {
    const callable = endpoints.filter(
      (each) => isForKeys(each) && !each.tags.includes("Dashboard"),
    );
    expect(callable.length).toBeGreaterThan(100);
    const folder = scratch();
    const client = join(ROOT, "client/client.ts");
    const calls = callable.map((each) => `// ${each.method} ${each.path}\n${typescriptOf(each)}`);
    const text = `import { readFile } from "node:fs/promises";
import type { PayrunClient } from ${JSON.stringify(client)};
declare const payrun: PayrunClient;
${calls.join("\n")}
void readFile;
`;
    writeFileSync(join(folder, "examples.mts"), text);
    const config = { extends: join(ROOT, "tsconfig.json"), include: ["examples.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--noEmit"];
    let report = "";
    try {
      execFileSync(process.execPath, [tsc, "-p", folder, ...types], { encoding: "utf8" });
    } catch (error) {
      report = (error as { stdout: string }).stdout;
    }
    expect(report).toBe("");
  });
});
