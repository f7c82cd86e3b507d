import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectedOf, inChunks, readFile, sampleBytes, SAMPLES } from "../../support/samples.ts";
import { compareFiles, readByProduct } from "./difference.ts";
import { type PlainReading, readPlainly } from "./plain-reader.ts";

const CORPUS = join(import.meta.dirname, "corpus");
const UGLY_FILES = globSync("*.csv", { cwd: CORPUS }).toSorted();
const FILES = Number(process.env["CSV_FILES"] ?? 20_000);

/**
 * The expected result next to a file: the rows that both readers read, or the code of the problem
 * that refuses it.
 */
const expectedIn = (name: string): PlainReading | { readonly refused: string } =>
  JSON.parse(readFileSync(join(CORPUS, name.replace(/csv$/, "expected.json")), "utf8"));
const isRefused = (name: string) => "refused" in expectedIn(name);

describe("the corpus of malformed files", () => {
  test("exists", () => {
    expect(UGLY_FILES.length).toBeGreaterThanOrEqual(60);
  });

  test.each(UGLY_FILES.filter((name) => !isRefused(name)))(
    "both readers read %s alike",
    async (name) => {
      const bytes = readFileSync(join(CORPUS, name));
      expect(await readByProduct(bytes)).toEqual(expectedIn(name));
      expect(readPlainly(bytes)).toEqual(expectedIn(name));
    },
  );

  test.each(UGLY_FILES.filter(isRefused))("both readers refuse %s", async (name) => {
    const bytes = readFileSync(join(CORPUS, name));
    const { refused, fileProblems } = await readFile(inChunks(bytes));
    expect([refused, fileProblems.map(({ code }) => ({ refused: code }))]).toEqual([
      true,
      [expectedIn(name)],
    ]);
    expect(readPlainly(bytes)).toBeNull();
  });
});

describe("two readers without common code", () => {
  const plain = SAMPLES.filter((name) => expectedOf(name).limits === undefined);

  test.each(plain)("agree on the sample %s", async (name) => {
    expect(readPlainly(sampleBytes(name))).toEqual(await readByProduct(sampleBytes(name)));
  });

  test(`agree on ${FILES} generated files, most readable and some not`, async () => {
    const read = await compareFiles(1, FILES);
    expect(read).toBeGreaterThan(FILES / 2);
    expect(read).toBeLessThan(FILES * 0.9);
  });
});
