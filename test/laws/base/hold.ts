import { describe, expect, test } from "vitest";
import type { Law } from "./law.ts";

/**
 * Enough cases to find obvious violations. `npm run fuzz` uses more, and mutation tests use fewer.
 */
export const CASES = Number(process.env["LAW_CASES"] ?? 400);
export const SEED = 1;

/** Tests every law of these areas. */
export const hold = (areas: Readonly<Record<string, readonly Law[]>>): void =>
  describe.each(Object.entries(areas))("laws of %s", (_area, laws) => {
    test.each(laws.map((law) => [law.says, law] as const))("%s", async (_says, law) => {
      await expect(law.hold(CASES, SEED)).resolves.toBeUndefined();
    });
  });
