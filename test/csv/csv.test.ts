import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectedOf, inChunks, readFile, sampleBytes, SAMPLES } from "../support/samples.ts";
import { compareFiles, readByProduct } from "./difference.ts";
import { type PlainReading, readPlainly } from "./plain-reader.ts";

const CORPUS = join(import.meta.dirname, "corpus");
const UGLY_FILES = globSync("*.csv", { cwd: CORPUS }).toSorted();
const FILES = Number(process.env["CSV_FILES"] ?? 20_000);

/** What stands beside a file: what both readers read of it, or the code of the problem with which it is refused. */
const expectedIn = (name: string): PlainReading | { readonly refused: string } =>
  JSON.parse(readFileSync(join(CORPUS, name.replace(/csv$/, "expected.json")), "utf8"));
const isRefused = (name: string) => "refused" in expectedIn(name);

describe("the corpus of ugly files", () => {
  test("is there", () => {
    expect(UGLY_FILES.length).toBeGreaterThanOrEqual(60);
  });

  test.each(UGLY_FILES.filter((name) => !isRefused(name)))(
    "%s is read alike by both",
    async (name) => {
      const bytes = readFileSync(join(CORPUS, name));
      expect(await readByProduct(bytes)).toEqual(expectedIn(name));
      expect(readPlainly(bytes)).toEqual(expectedIn(name));
    },
  );

  test.each(UGLY_FILES.filter(isRefused))("%s is refused by both", async (name) => {
    const bytes = readFileSync(join(CORPUS, name));
    const { refused, fileProblems } = await readFile(inChunks(bytes));
    expect([refused, fileProblems.map(({ code }) => ({ refused: code }))]).toEqual([
      true,
      [expectedIn(name)],
    ]);
    expect(readPlainly(bytes)).toBeNull();
  });
});

describe("two readers that share no code", () => {
  const plain = SAMPLES.filter((name) => expectedOf(name).limits === undefined);

  test.each(plain)("agree over the sample %s", async (name) => {
    expect(readPlainly(sampleBytes(name))).toEqual(await readByProduct(sampleBytes(name)));
  });

  test(`agree over ${FILES} generated files, most of which can be read and some of which cannot`, async () => {
    const read = await compareFiles(1, FILES);
    expect(read).toBeGreaterThan(FILES / 2);
    expect(read).toBeLessThan(FILES * 0.9);
  });
});
