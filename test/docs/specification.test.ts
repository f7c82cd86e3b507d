import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SOURCES } from "../../proof/page/sentence-sources.ts";
import { SENTENCES } from "../../proof/page/sentences.ts";
import { namedSentences, specificationPage } from "../../proof/page/specification.ts";

const IDS = SENTENCES.map(({ id }) => id);
const named = namedSentences();

test("names every sentence of the specification in a test", () => {
  expect(IDS.length).toBeGreaterThan(100);
  expect(new Set(IDS).size).toBe(IDS.length);
  expect(IDS.filter((id) => !named.has(id))).toEqual([]);
});

test("names existing source files for every sentence", () => {
  expect(IDS.filter((id) => (SOURCES.get(id) ?? []).length === 0)).toEqual([]);
  const paths = new Set([...SOURCES.values()].flat());
  const root = join(import.meta.dirname, "../..");
  expect([...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("names no sentence in a test that the table lacks", () => {
  expect([...named.keys()].filter((id) => !IDS.includes(id))).toEqual([]);
});

test("docs/reference/specification-coverage.md matches the tests; npm run specification-page updates it", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../docs/reference/specification-coverage.md"),
    "utf8",
  );
  expect(page).toBe(specificationPage());
});
