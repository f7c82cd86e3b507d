/** How messages about people follow the audit log, and reach channels and users. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { insertChannel } from "#ledger/notification/channels.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { peopleOf, stillClock } from "../../support/actions/people.ts";
import {
  both,
  CHANNEL,
  mailsOf,
  peopleChannel,
  sent,
  sorted,
  subjectOf,
} from "../../support/actions/people-mails.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock }, []);
  await peopleChannel(server.deps.database, server.deps.sealer);
});
afterAll(() => server.close());
const { steppedUp } = peopleOf(() => server, clock);
const { heard, mails, person, send, setDown } = mailsOf(() => server, steppedUp);

let ada: Awaited<ReturnType<typeof person>>;
beforeEach(async () => {
  setDown(false);
  const { database } = server.deps;
  await sql`update users set disabled_at = to_timestamp(0) where roles && array['admin', 'approver']`.execute(
    database,
  );
  await sql`delete from second_factor_roles`.execute(database);
  ada = await person("admin");
  await heard();
});

const disable = async () => {
  const user = await person("viewer");
  expect((await ada.post(`/api/users/${user.userId}/disable`)).status).toBe(204);
  return user;
};

test("follows the audit log from where it stopped, over more lines than one page", async () => {
  const first = await disable();
  await server.deps.database.transaction().execute(async (transaction) => {
    const line = { actor: "user:x", action: "search_account" as const, object: "x", facts: {} };
    for (let count = 0; count < 600; count += 1) await appendAudit(transaction, new Date(), line);
  });
  const second = await disable();
  const list = await heard();
  expect(sent(list)).toEqual(
    sorted(...both(first.email, "disable"), ...both(second.email, "disable")),
  );
  expect(await heard()).toEqual([]);
});

test("is once per line even if a crash loses the position in the audit log", async () => {
  const user = await disable();
  expect(sent(await heard())).toEqual(both(user.email, "disable"));
  await sql`update audit_notified set seq = 0`.execute(server.deps.database);
  expect(await heard()).toEqual([]);
});

test("is retried while the mail server is down", async () => {
  setDown(true);
  const user = await disable();
  expect(await heard()).toEqual([]);
  setDown(false);
  await sql`update deliveries set due_at = now() where state = 'waiting'`.execute(
    server.deps.database,
  );
  expect(sent(await heard())).toEqual(both(user.email, "disable"));
});

test("goes to the user without any channel, and only to channels without a mail server", async () => {
  await sql`update channels set ended_at = now() where id = 'CH1'`.execute(server.deps.database);
  const user = await disable();
  expect(sent(await heard())).toEqual([`${user.email} ${subjectOf("disable")}`]);
  await sql`update channels set ended_at = null where id = 'CH1'`.execute(server.deps.database);
  await disable();
  await heard({ mailer: null });
  await sql`update deliveries set due_at = now() where state = 'waiting'`.execute(
    server.deps.database,
  );
  expect(sent(await heard())).toEqual([`${CHANNEL} ${subjectOf("disable")}`]);
});

test("does not list a user's own address as a channel, and nobody deletes or tests it", async () => {
  const user = await disable();
  await heard();
  const { items, events } = (await ada.get("/api/channels")).json;
  expect(events).toContainEqual(
    expect.objectContaining({ event: "people", says: expect.stringContaining("API keys") }),
  );
  expect(items.map(({ id }: { id: string }) => id)).toEqual(["CH1"]);
  const path = `/api/channels/CH-${user.userId}`;
  expect((await ada.send("DELETE", path)).status).toBe(404);
  expect((await ada.post(`${path}/test`)).status).toBe(404);
  const log = (await ada.get("/api/deliveries")).json.items;
  expect(log).toContainEqual(
    expect.objectContaining({
      channel_id: `CH-${user.userId}`,
      event: "people",
      state: "delivered",
    }),
  );
});

test("reaches a webhook once, with names, the time and no secret", async () => {
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    request.on("data", (part: Buffer) => bodies.push(part.toString()));
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  await insertChannel(server.deps.database, server.deps.sealer, {
    id: "CH2",
    name: "programs",
    kind: "webhook",
    events: ["people"],
    actor: "user:US1",
    target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    at: new Date(),
  });
  const user = await disable();
  await heard();
  receiver.close();
  expect(bodies).toHaveLength(1);
  expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
    type: "people",
    data: {
      object: user.userId,
      action: "disable",
      text: `admin (${ada.email}) disabled viewer (${user.email}).`,
      by_id: ada.userId,
      person: `viewer (${user.email})`,
      time: new Date(clock.nowMs()).toISOString(),
      url: "https://desk.example/settings/users",
    },
  });
});

test("does not hold up an alarm when an audit line cannot be read", async () => {
  const { database, sealer } = server.deps;
  await insertChannel(database, sealer, {
    id: "CH3",
    name: "on call",
    kind: "email",
    target: "ops@example.test",
    events: ["alarm_raised"],
    secret: null,
    actor: "user:US1",
    at: new Date(),
  });
  await sql`
    insert into audit (seq, at, actor, action, object, facts, key, hash)
    select seq + 1, at, actor, 'invite', object, 'no JSON', key, hash from audit order by seq desc limit 1`.execute(
    database,
  );
  const alarm = { code: "in_doubt_too_long", says: "2 payouts in doubt" };
  mails.length = 0;
  await expect(send({ alarms: async () => [alarm] })).rejects.toThrow("JSON");
  expect(mails.map(({ to }) => to)).toEqual(["ops@example.test"]);
});
