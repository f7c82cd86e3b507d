import { describe, expect, test } from "vitest";
import type { OpenAttempt } from "#ledger/payout/attempts.ts";
import type { Claim } from "#ledger/payout/claim-statement.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";

/** A ledger with this many due payouts that records how many each claim requested. */
function ledgerWith(due: number) {
  const asked: number[] = [];
  let next = 0;
  const claims = new GroupedClaims(async ({ sizeMax }: Claim) => {
    asked.push(sizeMax);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const count = Math.min(sizeMax, due - next);
    return Array.from({ length: count }, () => ({ payoutId: next++ }) as OpenAttempt);
  });
  return { claims, asked };
}

const claimOf = (sizeMax: number, lane = "M/INR"): Claim => ({
  batchId: "B1",
  lane,
  sizeMax,
  worker: "w",
  keyId: "k",
  leaseMs: 1,
  inDoubtLimit: { count: 500, minor: null },
});
const idsOf = (attempts: readonly OpenAttempt[]) => attempts.map(({ payoutId }) => payoutId);

describe("claims of one batch and lane", () => {
  test("that arrive during another claim share the next one, each with at most the requested number", async () => {
    const { claims, asked } = ledgerWith(100);
    const taken = await Promise.all([3, 2, 4].map((size) => claims.add(claimOf(size))));
    expect(taken.map(idsOf)).toEqual([
      [0, 1, 2],
      [3, 4],
      [5, 6, 7, 8],
    ]);
    expect(asked).toEqual([3, 6]);
  });

  test("that find too few payouts serve the first requester, and no payout twice", async () => {
    const { claims } = ledgerWith(4);
    const taken = await Promise.all([3, 2, 4].map((size) => claims.add(claimOf(size))));
    expect(taken.map(idsOf)).toEqual([[0, 1, 2], [3], []]);
    expect(idsOf(await claims.add(claimOf(1)))).toEqual([]);
  });

  test("of another lane do not wait", async () => {
    const { claims, asked } = ledgerWith(100);
    await Promise.all([claims.add(claimOf(3)), claims.add(claimOf(2, "M/JPY"))]);
    expect(asked).toEqual([3, 2]);
  });

  test("that fail are reported to each of the group", async () => {
    const claims = new GroupedClaims((_claim: Claim) => Promise.reject(new Error("away")));
    const settled = await Promise.allSettled([1, 2, 3].map((size) => claims.add(claimOf(size))));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});
