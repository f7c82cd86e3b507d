import { describe, expect, test } from "vitest";
import { LAWS } from "./all.ts";

/** Enough to find what breaks easily; `npm run fuzz` looks longer, and mutants are hunted with fewer. */
const CASES = Number(process.env["LAW_CASES"] ?? 400);
const SEED = 1;
const LAWS_MIN = 160;

describe.each(Object.entries(LAWS))("laws of %s", (_area, laws) => {
  test.each(laws.map(({ says, hold }) => [says, hold] as const))("%s", async (_says, hold) => {
    await expect(hold(CASES, SEED)).resolves.toBeUndefined();
  });
});

test("there are as many laws as we say, and no two say the same", () => {
  const laws = Object.values(LAWS).flat();
  process.stdout.write(`${laws.length} laws, ${CASES} cases each, seed ${SEED}\n`);
  expect(laws.length).toBeGreaterThanOrEqual(LAWS_MIN);
  expect(new Set(laws.map(({ says }) => says)).size).toBe(laws.length);
});
