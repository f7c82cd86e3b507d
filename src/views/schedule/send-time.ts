import type { RecordedSendTime } from "#ledger/schedule/send-times.ts";
import { momentText } from "#schedule/local-time.ts";

/** The send time of a batch, as shown by the API and the command line. */
export const sendTimeView = (sending: RecordedSendTime | undefined) =>
  sending
    ? {
        at: sending.at.toISOString(),
        says: momentText(sending),
        expires_hours: sending.expiresHours,
        released_at: sending.releasedAt?.toISOString() ?? null,
        held_back: sending.heldBack,
      }
    : null;
