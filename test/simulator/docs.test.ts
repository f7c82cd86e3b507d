import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS, type Fault } from "#simulator/faults/faults.ts";
import { OPTIONS } from "#simulator/state/option-table.ts";

const page = readFileSync(new URL("../../docs/start/simulator.md", import.meta.url), "utf8");

/** The effect without the words that the introduction of its group has. */
function effectOf({ at, does }: Fault): string {
  if (at === "before") {
    return does.replace(/ (?:without accepting|and does not accept) the request$/, "");
  }
  return at === "after" ? does.replace(/^accepts(?:,? then| and| but) /, "") : does;
}

/** Faults of a list item, such as "`slow`" or "`code_109` to `code_111`, `code_131`". */
const namesIn = (names: string): string[] =>
  names.split(", ").flatMap((part) => {
    const [, first, last] = /^`code_(\d+)` to `code_(\d+)`$/.exec(part) ?? [];
    if (first === undefined) return [part];
    const length = Number(last) - Number(first) + 1;
    return Array.from({ length }, (_, at) => `\`code_${Number(first) + at}\``);
  });

test("docs/start/simulator.md lists every fault with its effect in its group, and no others", () => {
  const [, ...groups] = page.slice(page.indexOf("\n## Faults")).split("\n### ");
  const listed = groups.flatMap((group) => {
    const [, at] = /^.* \(`(\w+)`\)\n/.exec(group) ?? [];
    return [...group.matchAll(/^- (`[^:]*`): (.*)$/gm)].flatMap(([, names = "", effect]) =>
      namesIn(names).map((name) => `${at} ${name} ${effect}`),
    );
  });
  const faults = Object.entries(FAULTS).map(
    ([name, fault]) => `${fault.at} \`${name}\` ${effectOf(fault)}`,
  );
  expect(listed.sort()).toEqual(faults.sort());
});

test("docs/start/simulator.md names only options that exist", () => {
  const named = [...page.matchAll(/`--([a-z-]+)/g)].map(([, flag]) => flag);
  expect(named.length).toBeGreaterThan(3);
  expect(OPTIONS.map(({ flag }) => flag)).toEqual(expect.arrayContaining(named));
});
