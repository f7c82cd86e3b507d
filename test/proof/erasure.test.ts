import { expect, test } from "vitest";
import { runErasureCampaign } from "#proof/erasure/campaign.ts";

test("finds planted people everywhere, and nowhere after their erasure", {
  timeout: 240_000,
}, async () => {
  const result = await runErasureCampaign({ people: 1 });
  const readable = Object.fromEntries(
    result.places.map(({ place, before, after }) => [place, [before, after]]),
  );
  expect(readable).toMatchObject({
    "data directory": [1, 0],
    "WAL archive": [1, 0],
    dumps: [1, 0],
    "archive files": [1, 0],
    "uploaded files": [1, 0],
  });
  expect(result.places.every(({ after }) => after === 0)).toBe(true);
  expect(result).toMatchObject({ oldTrees: 0, lost: 0, unknown: [] });
  expect(Object.keys(result.columns)).toEqual(
    expect.arrayContaining(["payout_details.sealed", "deposits.sealed", "comments.sealed"]),
  );
});
