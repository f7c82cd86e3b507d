import type { Command } from "commander";
import type { AnswerOf } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { print } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { FEED_EVENTS } from "#operations/feed-events.ts";
import { withLedgerApi } from "#cli/terminal/local-api.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly after?: string;
  readonly type?: string;
  readonly batch?: string;
  readonly follow?: boolean;
}

type Page = AnswerOf<(typeof API)["GET /api/events"]>;
type Event = Page["items"][number];

const PAGE = 1_000;
const WAIT_SECONDS = 10;

/** Adds `payrun events` to the program. */
export function eventsCommand(program: Command): void {
  withServerOptions(
    program
      .command("events")
      .description("list the events of payouts, batches, breaks and business days, oldest first")
      .option("--after <id>", "only events after the one with this ID")
      .option("--type <names>", `only these types, separated by commas: ${FEED_EVENTS.join(", ")}`)
      .option("--batch <id>", "only events of this batch")
      .option("--follow", "wait for further events until you press Ctrl-C")
      .option("--json", "print one JSON document per line"),
  ).action(listEvents);
}

async function listEvents({ json, after, type, batch, follow, ...flags }: Flags): Promise<void> {
  await withLedgerApi(flags, async (client) => {
    let place = after;
    let isBehind = false;
    for (;;) {
      const page: Page = await client.call("GET /api/events", {
        query: {
          ...(place !== undefined && { after: place }),
          ...(type !== undefined && { type }),
          ...(batch !== undefined && { batch }),
          limit: PAGE,
          wait: follow ? WAIT_SECONDS : Number(isBehind),
        },
      });
      for (const event of page.items) print(json ? JSON.stringify(event) : lineOf(event));
      if (!page.has_more && !follow) return;
      place = page.next ?? place;
      // Another process is publishing the next events.
      isBehind = page.items.length === 0;
    }
  });
}

function lineOf({
  id,
  timestamp,
  type,
  data: { object, payout, batch, break: found, day },
}: Event) {
  const details = payout
    ? [payout.currency, payout.amount, payout.reason ?? ""]
    : batch
      ? Object.entries(batch.totals).flat()
      : day
        ? [`version ${day.version}`, day.closing, day.cause ?? ""]
        : [found?.class ?? "", found?.code ?? ""];
  return [id, timestamp, type, object, ...details].filter((part) => part !== "").join("  ");
}
