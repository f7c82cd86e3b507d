import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OPTIONS } from "#simulator/state/option-table.ts";

const page = readFileSync(new URL("../../docs/start/simulator.md", import.meta.url), "utf8");

test("docs/start/simulator.md names only options that exist", () => {
  const named = [...page.matchAll(/`--([a-z-]+)/g)].map(([, flag]) => flag);
  expect(named.length).toBeGreaterThan(3);
  expect([...OPTIONS.map(({ flag }) => flag), "list-faults"]).toEqual(
    expect.arrayContaining(named),
  );
});
