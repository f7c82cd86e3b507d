import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { messageOf } from "#base/log.ts";
import { WatchedClient } from "#postgres/client.ts";
import { freshDatabase } from "../../support/ledger.ts";
import { type LossyWire, lossyWire } from "../../support/servers/lossy-wire.ts";

let wire: LossyWire;
let database: Database;
beforeEach(async () => {
  wire = await lossyWire(await freshDatabase());
  database = openDatabase(wire.url);
  await sql`select 1`.execute(database);
  // The clock of the connections only: everything else takes real time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.destroy();
  wire.stop();
});

const one = sql<{ one: number }>`select 1 as one`;
/** Advances the time once a query stays unanswered. */
async function pass(ms: number): Promise<void> {
  await wire.unanswered();
  await vi.advanceTimersByTimeAsync(ms);
}

/** Error of a transaction whose connection was closed. */
const GIVEN_UP = /not queryable/;
const SILENT = /^the database did not respond for 70 s/;
const wordsAfter = (asked: Promise<unknown>): Promise<string> => asked.then(String, messageOf);

describe("F24 a connection that goes silent behind a hanging load balancer", () => {
  test("is given up when no answer can arrive any more, and another one is used", async () => {
    wire.goSilent();
    const asked = one.execute(database);
    const said = wordsAfter(asked);
    await pass(71_000);
    expect(await said).toMatch(SILENT);
    expect((await one.execute(database)).rows).toEqual([{ one: 1 }]);
  });

  test("ends its transaction", async () => {
    const worked = database.transaction().execute(async (transaction) => {
      await one.execute(transaction);
      wire.goSilent();
      return one.execute(transaction);
    });
    const said = wordsAfter(worked);
    await pass(71_000);
    expect(await said).toMatch(GIVEN_UP);
    expect((await one.execute(database)).rows).toEqual([{ one: 1 }]);
  });

  test("stays open where the server may take longer than a minute", async () => {
    let ended = false;
    const worked = database.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      wire.goSilent();
      return one.execute(transaction);
    });
    const said = wordsAfter(worked.finally(() => (ended = true)));
    await pass(600_000);
    expect(ended).toBe(false);
    await pass(3_100_000);
    expect(await said).toMatch(GIVEN_UP);
  });

  test("is given up for the queue as well", async () => {
    const client = new WatchedClient(wire.url);
    await client.connect();
    wire.goSilent();
    const said = wordsAfter(client.query("listen jobs"));
    await pass(71_000);
    expect(await said).toMatch(SILENT);

    // BullMQ has no listeners during its goodbye: an error then would be uncaught.
    const other = new WatchedClient(wire.url);
    await other.connect();
    wire.goSilent();
    other.removeAllListeners();
    const ended = other.end();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await ended).toBeUndefined();
  });
});
