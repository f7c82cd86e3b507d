import { unsentView } from "#views/intake/unsent.ts";
import { batchView } from "#views/intake/batch.ts";
import { depositView } from "#views/deposit/deposit.ts";
import { statusIndicatorView } from "#views/operations/status-indicator.ts";
import { homeFigures } from "#views/operations/home-figures.ts";
import { homeView } from "#views/operations/home.ts";
import { payoutView } from "#views/payout/payout.ts";
import { operationsOverview } from "#views/operations/overview.ts";
import type { Topics } from "#http/server/live.ts";

/** The documents that pages watch. */
export const TOPICS: Topics = {
  batch: batchView,
  deposit: depositView,
  figures: (_id, desk) => homeFigures(desk),
  home: homeView,
  status_indicator: (_id, desk) => statusIndicatorView(desk),
  payout: payoutView,
  unsent: unsentView,
  operations: (_id, desk) => operationsOverview(desk),
};
