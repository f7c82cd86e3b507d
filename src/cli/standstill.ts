import type { z } from "zod";
import type { Light } from "#api/frame.ts";
import type { Server } from "#cli/server.ts";
import { systemClock } from "#clock.ts";
import type { OpenLedger } from "#open-ledger.ts";

/** What there is to say where nobody asks the gateway: whatever is open stands as it stood then. Null: somebody does. */
const textOf = ({ idle }: z.output<typeof Light>): string | null =>
  idle && [idle.says, ...(idle.since === null ? [] : [`Since ${idle.since}.`])].join(" ");

export async function standstillHere(
  open: Pick<OpenLedger, "database" | "ledger">,
): Promise<string | null> {
  const { lightView } = await import("#http/frame.ts");
  return textOf(await lightView({ ...open, clock: systemClock }));
}

/** It stands beside an answer, and must not spoil it: an older server does not tell. */
export const standstillThere = async (server: Server): Promise<string | null> => {
  const frame = await server.call("GET /api/frame", {}).catch(() => null);
  return frame && textOf(frame.light);
};
