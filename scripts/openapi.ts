/**
 * `npm run openapi`: writes openapi.json from the table of API operations, the types of the client
 * from openapi.json, and the quickstart into docs/reference/api.md. A test fails when one of the
 * files is stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../src/http/openapi/openapi.ts";
import { clientTypes } from "./client-types.ts";
import { QUICKSTART } from "../src/http/openapi/quickstart.ts";

export const PATH = join(import.meta.dirname, "../openapi.json");

export const CLIENT_TYPES = join(import.meta.dirname, "../client/operations.ts");

const PAGE = join(import.meta.dirname, "../docs/reference/api.md");
const SECTION = /(<!-- quickstart: .*? -->\n)[^]*(<!-- \/quickstart -->)/;

/**
 * Returns the document with one line per operation, so that a comparison shows the operations that
 * changed.
 */
export function openApiText(): string {
  const { paths, ...about } = openApi();
  const lines = Object.entries(paths).map(([path, operations]) => {
    const each = Object.entries(operations).map(([method, operation]) => entry(method, operation));
    return `${JSON.stringify(path)}: {\n${each.join(",\n")}\n}`;
  });
  const others = Object.entries(about).map(([name, part]) => entry(name, part));
  return `{\n${[...others, `"paths": {\n${lines.join(",\n")}\n}`].join(",\n")}\n}\n`;
}

const entry = (name: string, content: unknown): string =>
  `${JSON.stringify(name)}: ${JSON.stringify(content)}`;

/** Reads docs/reference/api.md. */
export const readApiPage = (): string => readFileSync(PAGE, "utf8");
/** Returns the page with the current quickstart. */
export const withQuickstart = (page: string): string =>
  page.replace(SECTION, (_all, start: string, end: string) => `${start}\n${QUICKSTART}\n${end}`);

if (import.meta.main) {
  writeFileSync(PATH, openApiText());
  writeFileSync(CLIENT_TYPES, clientTypes(openApi()));
  writeFileSync(PAGE, withQuickstart(readApiPage()));
}
