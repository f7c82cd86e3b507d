import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "#simulator/faults.ts";
import { OPTIONS } from "#simulator/option-table.ts";

const page = readFileSync(new URL("../../docs/simulator.md", import.meta.url), "utf8");

test("docs/simulator.md has every fault, every option, and no others", () => {
  const rows = Object.entries(FAULTS).map(([name, { does }]) => `| \`${name}\` | ${does} |`);
  const faults = page.slice(page.indexOf("\n## Faults")).split("\n");
  expect(faults.filter((line) => line.startsWith("| `")).sort()).toEqual(rows.sort());

  const options = page.match(/^\| `--([a-z-]+)/gm) ?? [];
  expect(options).toEqual(OPTIONS.map(({ flag }) => `| \`--${flag}`));
});
