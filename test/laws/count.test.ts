import { expect, test } from "vitest";
import { LAWS } from "./all.ts";
import { CASES, SEED } from "./base/hold.ts";

const LAWS_MIN = 160;

test("defines at least the stated number of laws, with distinct sentences", () => {
  const laws = Object.values(LAWS).flat();
  process.stdout.write(`${laws.length} laws, ${CASES} cases each, seed ${SEED}\n`);
  expect(laws.length).toBeGreaterThanOrEqual(LAWS_MIN);
  expect(new Set(laws.map(({ says }) => says)).size).toBe(laws.length);
});
