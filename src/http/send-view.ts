import type { z } from "zod";
import type { SendView } from "#api/send-times.ts";
import type { Sending } from "#ledger/sendings.ts";
import { momentText } from "#schedule/local-time.ts";

export const sendView = (sending: Sending | undefined): z.output<typeof SendView> | null =>
  sending
    ? {
        at: sending.at.toISOString(),
        says: momentText(sending),
        expires_hours: sending.expiresHours,
        let_go_at: sending.releasedAt?.toISOString() ?? null,
        stuck: sending.stuck,
      }
    : null;
