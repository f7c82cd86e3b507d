import { expect, it } from "vitest";
import { runEventCampaign } from "#proof/events/campaign.ts";

it("follows every event while writers and consumer are killed", { timeout: 120_000 }, async () => {
  const result = await runEventCampaign({
    payouts: 1_500,
    kills: 6,
    perSecond: 300,
    slowMs: 50,
  });

  expect(result).toMatchObject({ wrong: [], gaps: 0 });
  expect(result.kills).toBeGreaterThan(0);
  expect(result.events).toBeGreaterThanOrEqual(1_500);
});
