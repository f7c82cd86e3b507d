import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "#simulator/faults.ts";
import { OPTIONS } from "#simulator/option-table.ts";

const page = readFileSync(new URL("../../docs/simulator.md", import.meta.url), "utf8");

test("docs/simulator.md lists every fault and every option, and no others", () => {
  const rows = page.slice(page.indexOf("\n## Faults")).matchAll(/^\| (`.*`) \| (.*) \|$/gm);
  const listed = [...rows].flatMap(([, names = "", effect = ""]) =>
    names.split(", ").map((name) => `${name} ${effect}`),
  );
  const faults = Object.entries(FAULTS).map(([name, { does }]) => `\`${name}\` ${does}`);
  expect(listed.sort()).toEqual(faults.sort());

  const options = page.match(/^\| `--([a-z-]+)/gm) ?? [];
  expect(options).toEqual(OPTIONS.map(({ flag }) => `| \`--${flag}`));
});
