import type { z } from "zod";
import type { StatusIndicator } from "#api/app/frame.ts";
import type { Server } from "#cli/terminal/server.ts";
import { systemClock } from "#base/clock.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { timeText } from "#base/time-text.ts";

/**
 * Returns a warning if no process queries the gateway: payouts in progress are shown as of that
 * time. Null: one does.
 */
const textOf = ({ idle }: z.output<typeof StatusIndicator>): string | null =>
  idle && [idle.says, ...(idle.since === null ? [] : [`Since ${timeText(idle.since)}.`])].join(" ");

/** Returns why this machine is not sending payouts. Null: it is sending. */
export async function localStandstill(
  open: Pick<OpenLedger, "database" | "ledger">,
): Promise<string | null> {
  const { statusIndicatorView } = await import("#views/operations/status-indicator.ts");
  return textOf(await statusIndicatorView({ ...open, clock: systemClock }));
}

/** The warning accompanies an answer and must not break it: an older server does not provide it. */
export const serverStandstill = async (server: Server): Promise<string | null> => {
  const frame = await server.call("GET /api/frame", {}).catch(() => null);
  return frame && textOf(frame.status_indicator);
};
