import { readFaultsPage, testsByFault, WITHOUT_TEST } from "./coverage.ts";

/** A fault's row of docs/understand/proof/faults.md up to its last cell, which lists the tests. */
const ROW = /^(\| (F\d+) \| [^|]+ \| [^|]+ \|).*$/gm;

/** Returns faults.md with the current tests of each fault in the last column. */
export function faultsPage(): string {
  const tests = testsByFault();
  return readFaultsPage().replaceAll(
    ROW,
    (_row, before: string, number: string) =>
      `${before} ${testsCell(number, tests.get(number) ?? [])} |`,
  );
}

function testsCell(number: string, paths: readonly string[]): string {
  if (paths.length === 0) return `*no test:* ${WITHOUT_TEST[number] ?? "no reason given"}`;
  return paths.map((path) => `[${nameOf(path)}](../../../${path})`).join(", ");
}

const nameOf = (path: string): string => path.replace(/^test\//, "").replace(/(\.test)?\.ts$/, "");
