import { expect, test } from "vitest";
import { LAWS } from "./all.ts";
import { CASES, SEED } from "./hold.ts";

const LAWS_MIN = 160;

test("there are as many laws as we say, and no two say the same", () => {
  const laws = Object.values(LAWS).flat();
  process.stdout.write(`${laws.length} laws, ${CASES} cases each, seed ${SEED}\n`);
  expect(laws.length).toBeGreaterThanOrEqual(LAWS_MIN);
  expect(new Set(laws.map(({ says }) => says)).size).toBe(laws.length);
});
