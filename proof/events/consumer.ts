/**
 * Stores the states of payouts from the events alone: a process of the campaign that may be killed
 * at any time. It continues after the last event that it has stored.
 */
import { appendFileSync, truncateSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { readConfig } from "#app/config.ts";
import { openLedger } from "#app/open-ledger.ts";
import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { readLast } from "./stored-events.ts";

const [file = ""] = process.argv.slice(2);
const PAGE = 500;
const EVERY_MS = 200;

const open = await openLedger(readConfig());
process.stdout.write("ready\n");
const stored = readLast(file);
// A killed process may have written a part of its last line.
truncateSync(file, stored.bytes);
let after = stored.number;
for (;;) {
  await publishEvents(open.database);
  const { events, last } = await findEvents(open.database, { after, limit: PAGE });
  if (!last) {
    await setTimeout(EVERY_MS);
    continue;
  }
  const lines = events.map(({ number, at, payout }) =>
    [number, Date.now() - at.getTime(), payout?.code ?? "", payout?.state ?? ""].join(" "),
  );
  appendFileSync(file, `${lines.join("\n")}\n`);
  after = last.number;
}
