import type { Sending } from "#ledger/sendings.ts";
import { momentText } from "#schedule/local-time.ts";

/** When a batch goes out, as API and command line show it. */
export const sendView = (sending: Sending | undefined) =>
  sending
    ? {
        at: sending.at.toISOString(),
        says: momentText(sending),
        expires_hours: sending.expiresHours,
        let_go_at: sending.releasedAt?.toISOString() ?? null,
        stuck: sending.stuck,
      }
    : null;
