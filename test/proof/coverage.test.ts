import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faults, proofs, WITHOUT_TEST } from "../../proof/page/coverage.ts";
import { faultsPage } from "../../proof/page/faults-page.ts";
import { titlesOf } from "../../proof/page/titles.ts";

const FAULTS = faults().map(({ number }) => number);
const named = proofs();

describe("every fault of docs/faults.md", () => {
  test("has a number of its own, and none is left out", () => {
    expect(FAULTS).toEqual(
      Array.from({ length: 126 }, (_, at) => `F${String(at + 1).padStart(2, "0")}`),
    );
  });

  test("is named by a test, or by a reason why there is none", () => {
    const neither = FAULTS.filter((number) => !named.has(number) && !WITHOUT_TEST[number]);
    expect(neither).toEqual([]);
  });

  test("has no reason for a test that is missing when it has a test", () => {
    expect(Object.keys(WITHOUT_TEST).filter((number) => named.has(number))).toEqual([]);
    expect(Object.keys(WITHOUT_TEST).filter((number) => !FAULTS.includes(number))).toEqual([]);
  });

  test("is the only thing that a title may name", () => {
    const unknown = [...named].filter(([number]) => !FAULTS.includes(number));
    expect(unknown).toEqual([]);
  });
});

test("docs/proof/faults.md shows what is tested as it is; npm run proof-page draws it again", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/proof/faults.md"), "utf8");
  expect(page).toBe(faultsPage());
});

describe("what counts as a title", () => {
  const numbersIn = (source: string) => titlesOf(source).map(({ faults: numbers }) => numbers);

  test("a test or law with what stands around it, its rows, and entries that say what they cover", () => {
    const source = `
      describe("F01 a worker (I4)", () => {
        test.concurrent.each([["F02 dies"], ["lives"]] as const)("%s", () => {});
        it(\`goes on with \${name} (F03, I1)\`, () => {});
      });
      const laws = [law("nothing is lost (F04)", any, () => {})];
      const STRIKES = [{ kind: "flush", covers: "F05 F06" }];`;
    expect(titlesOf(source)).toEqual([
      { faults: ["F01"], text: "a worker" },
      { faults: ["F02"], text: "a worker: …: dies" },
      { faults: ["F03"], text: "a worker: goes on with …" },
      { faults: ["F04"], text: "nothing is lost" },
      { faults: ["F05", "F06"], text: "flush" },
    ]);
  });

  test("no comment, no other string, and nothing that is skipped", () => {
    const source = `
      // test("F01 in a comment")
      test.skip("F02 skipped", () => expect("F03").toBe("F03"));
      test.todo("F04 to be done");
      log("F05 said");
      const table = { note: "F06" };`;
    expect(numbersIn(source)).toEqual([]);
  });

  test("no range: it does not say that each of them was thought of", () => {
    expect(() => titlesOf('test("F34 to F53 each of them", () => {})')).toThrow("name each fault");
  });
});
