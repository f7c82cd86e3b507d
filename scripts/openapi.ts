/**
 * `npm run openapi`: writes openapi.json from the table of API operations. A test fails when it is
 * stale.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../src/http/openapi/openapi.ts";

export const PATH = join(import.meta.dirname, "../openapi.json");

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

if (import.meta.main) writeFileSync(PATH, openApiText());
