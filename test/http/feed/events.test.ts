/** The list of events: places, filters, waiting, and the refusal after a restore. */
import { API } from "#api/api.ts";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approvedBatch, declineAll, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let viewer: Caller;
const batches: string[] = [];
beforeAll(async () => {
  server = await startTestServer({}, []);
  for (const rows of [2, 3]) {
    const { ledger } = server.deps;
    const { id } = await approvedBatch(ledger, rowsOf(rows));
    await declineAll(ledger, id);
    batches.push(id);
  }
  // Without users, one person may approve.
  viewer = await server.newUser(["viewer"], "Vera");
});
afterAll(() => server.close());

const eventsOf = async (query = "") => (await viewer.get(`/api/events${query}`)).json;

test("lists all events in pages, each from the place of the last one", async () => {
  const all = await eventsOf();
  expect(all.has_more).toBe(false);
  expect(all.items.map(({ type }: { type: string }) => type)).toEqual(
    [2, 3].flatMap((rows) => [
      "batch_approved",
      ...Array.from({ length: rows }, () => "payout_declined"),
      "batch_finished_with_exceptions",
    ]),
  );
  const first = await eventsOf("?limit=4");
  expect(first).toMatchObject({ next: first.items[3].id, has_more: true });
  const second = await eventsOf(`?limit=100&after=${first.next}`);
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect(await eventsOf(`?after=${second.next}`)).toEqual({
    items: [],
    next: second.next,
    has_more: false,
  });
});

test("filters by types and batch", async () => {
  const [, batch = ""] = batches;
  const own = await eventsOf(`?batch=${batch}`);
  expect(own.items).toHaveLength(5);
  const approvals = await eventsOf(`?batch=${batch}&type=batch_approved,payout_settled`);
  expect(approvals.items).toMatchObject([
    { type: "batch_approved", data: { object: batch, batch: { payouts: 3 } } },
  ]);
  expect(approvals.next).toBe(own.next);
  expect((await viewer.get("/api/events?type=payout_lost")).status).toBe(400);
});

test("waits for the next event", async () => {
  const { next } = await eventsOf();
  const waiting = eventsOf(`?wait=10&after=${next}`);
  const { ledger } = server.deps;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(1)));
  const order = { id: batch.id, event: "cancel", reason: "not needed", actor: "test" } as const;
  await ledger.payout.moveBatch(order);
  const { items } = await waiting;
  expect(items[0]).toMatchObject({ type: "batch_cancelled", data: { object: batch.id } });
});

test("has more while another process publishes committed events", async () => {
  const { next } = await eventsOf();
  const { ledger, config } = server.deps;
  const publisher = new Client({ connectionString: asTestOwner(config.DATABASE_URL ?? "") });
  await publisher.connect();
  try {
    await publisher.query("select pg_advisory_lock(hashtext('payrun events'))");
    const { id } = await approvedBatch(ledger, rowsOf(1));
    expect(await eventsOf(`?after=${next}`)).toEqual({ items: [], next, has_more: true });
    await publisher.query("select pg_advisory_unlock_all()");
    const { items, has_more } = await eventsOf(`?after=${next}`);
    expect(has_more).toBe(false);
    expect(items).toMatchObject([{ type: "batch_approved", data: { object: id } }]);
  } finally {
    await publisher.end();
  }
});

test("refuses the place of an event that a restored ledger does not have", async () => {
  const { next } = await eventsOf();
  const number = Number(next.split("-")[0]);
  for (const unknown of [`${number + 1}-00000000`, `${number}-00000000`]) {
    const refused = await viewer.get(`/api/events?after=${unknown}`);
    expect(refused).toMatchObject({ status: 410, json: { code: "event_unknown" } });
  }
  expect((await viewer.get("/api/events?after=17")).status).toBe(400);
});

test("a mail channel cannot receive events of single payouts", async () => {
  const { body } = API["POST /api/channels"];
  const channel = { name: "books", events: ["payout_settled"] };
  const mail = { ...channel, kind: "email", target: "books@example.com" };
  const webhook = { ...channel, kind: "webhook", target: "https://example.com/hook" };
  expect([mail, webhook].map((each) => body.safeParse(each).success)).toEqual([false, true]);
  const admin = await server.newUser(["admin"], "Ada");
  const { json } = await admin.get("/api/channels");
  const offered = json.events.find(({ event }: { event: string }) => event === "payout_settled");
  expect(offered).toMatchObject({ group: "payouts", example: { type: "payout_settled" } });
});

test("no event can be changed or removed", async () => {
  await eventsOf();
  const owner = asTestOwner(server.deps.config.DATABASE_URL ?? "");
  await expect(query(owner, "delete from payrun.events")).rejects.toThrow("append-only");
});
