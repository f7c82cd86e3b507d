import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents, queueInDoubtEvents } from "#ledger/feed/publish-events.ts";
import { findDueResults, recordResult } from "#ledger/feed/result-files.ts";
import { findFeedWebhooks, recordFirstDeliveries } from "#ledger/feed/webhook-positions.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about events, webhooks that receive them, and result files. */
export const feedSteps = (database: Database) =>
  bind([database], {
    publishEvents,
    queueInDoubtEvents,
    findEvents,
    findFeedWebhooks,
    recordFirstDeliveries,
    findDueResults,
    recordResult,
  });
export type FeedSteps = ReturnType<typeof feedSteps>;
