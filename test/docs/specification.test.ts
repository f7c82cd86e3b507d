import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SENTENCES } from "../../proof/page/sentences.ts";
import { namedSentences, specificationPage } from "../../proof/page/specification.ts";

const IDS = SENTENCES.map(({ id }) => id);
const named = namedSentences();

test("every sentence of the specification is named by a test", () => {
  expect(IDS.length).toBeGreaterThan(100);
  expect(new Set(IDS).size).toBe(IDS.length);
  expect(IDS.filter((id) => !named.has(id))).toEqual([]);
});

test("tests name no sentence that the table does not have", () => {
  expect([...named.keys()].filter((id) => !IDS.includes(id))).toEqual([]);
});

test("docs/specification-coverage.md is as the tests are; npm run specification-page writes it again", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../docs/specification-coverage.md"),
    "utf8",
  );
  expect(page).toBe(specificationPage());
});
