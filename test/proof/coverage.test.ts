import { describe, expect, test } from "vitest";
import {
  readFaults,
  readFaultsPage,
  testsByFault,
  WITHOUT_TEST,
} from "../../proof/page/coverage.ts";
import { faultsPage } from "../../proof/page/faults-page.ts";
import { titlesOf } from "../../proof/page/titles.ts";

const FAULTS = readFaults();
const named = testsByFault();

describe("every fault of docs/understand/proof/faults.md", () => {
  test("has a unique number, without gaps", () => {
    expect(FAULTS).toEqual(
      Array.from({ length: 126 }, (_, at) => `F${String(at + 1).padStart(2, "0")}`),
    );
  });

  test("is named by a test, or by a reason why there is none", () => {
    const neither = FAULTS.filter((number) => !named.has(number) && !WITHOUT_TEST[number]);
    expect(neither).toEqual([]);
  });

  test("has no reason for a missing test when it has a test", () => {
    expect(Object.keys(WITHOUT_TEST).filter((number) => named.has(number))).toEqual([]);
    expect(Object.keys(WITHOUT_TEST).filter((number) => !FAULTS.includes(number))).toEqual([]);
  });

  test("is the only thing that a title may name", () => {
    const unknown = [...named].filter(([number]) => !FAULTS.includes(number));
    expect(unknown).toEqual([]);
  });
});

test("docs/understand/proof/faults.md lists the tests of each fault; npm run proof-page updates it", () => {
  expect(readFaultsPage()).toBe(faultsPage());
});

describe("recognised titles", () => {
  const numbersIn = (source: string) => titlesOf(source).map(({ faults: numbers }) => numbers);

  test("include tests and laws with their describe blocks, their rows, and entries that say what they cover", () => {
    const source = `
      describe("F01 a worker (I4)", () => {
        test.concurrent.each([["F02 dies"], ["lives"]] as const)("%s", () => {});
        it(\`goes on with \${name} (F03, I1)\`, () => {});
      });
      const laws = [law("no payout is lost (F04)", any, () => {})];
      const STRIKES = [{ kind: "flush", covers: "F05 F06" }];`;
    expect(titlesOf(source)).toEqual([
      { faults: ["F01"], text: "a worker" },
      { faults: ["F02"], text: "a worker: …: dies" },
      { faults: ["F03"], text: "a worker: goes on with …" },
      { faults: ["F04"], text: "no payout is lost" },
      { faults: ["F05", "F06"], text: "flush" },
    ]);
  });

  test("exclude comments, other strings and skipped tests", () => {
    const source = `
      // test("F01 in a comment")
      test.skip("F02 skipped", () => expect("F03").toBe("F03"));
      test.todo("F04 to be done");
      log("F05 said");
      const table = { note: "F06" };`;
    expect(numbersIn(source)).toEqual([]);
  });

  test("exclude ranges, which do not show that each fault was considered", () => {
    expect(() => titlesOf('test("F34 to F53 each", () => {})')).toThrow("name each fault");
  });
});
