/** Admins edit the settings of a notification channel; its secret and its kind stay. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let admin: Caller;
beforeAll(async () => {
  server = await startTestServer({}, []);
  admin = await server.newUser(["admin"], "Ada Osei");
  await sql`update sessions set stepped_up_until = now() + interval '1 hour'`.execute(
    server.deps.database,
  );
});
afterAll(() => server.close());

const WEBHOOK = {
  kind: "webhook",
  name: "ERP",
  target: "https://erp.example/hooks/a-secret-path",
  events: ["batch_approved"],
};
const create = async (body: object) =>
  (await admin.post("/api/channels", body)).json.channel as { id: string; version: string };
const edit = (id: string, body: object) => admin.send("PUT", `/api/channels/${id}`, { body });
const secretOf = async (id: string) =>
  (
    await sql<{ secret: string }>`
      select encode(secret, 'hex') as secret from channels where id = ${id}`.execute(
      server.deps.database,
    )
  ).rows[0]?.secret;

test("replaces name, address and events, keeps the secret and records the change", async () => {
  const { id, version } = await create(WEBHOOK);
  const secret = await secretOf(id);
  const edited = {
    ...WEBHOOK,
    target: "https://erp.example.com/other-secret-path",
    events: ["batch_approved", "payout_settled"],
  };
  const { status, json } = await edit(id, { ...edited, version });
  expect(status).toBe(200);
  expect(json).toMatchObject({ ...edited, id });
  expect(await secretOf(id)).toBe(secret);
  expect(secret).toMatch(/^[0-9a-f]+$/);
  const { items } = (await admin.get("/api/audit?action=edit_channel")).json;
  expect(items).toMatchObject([
    {
      object: id,
      facts: {
        name: "ERP",
        before: { target: "https://erp.example", events: ["batch_approved"] },
        after: {
          target: "https://erp.example.com",
          events: ["batch_approved", "payout_settled"],
        },
      },
    },
  ]);
  expect(JSON.stringify(items)).not.toContain("secret-path");
});

test("refuses an edit of settings that somebody changed meanwhile", async () => {
  const { id, version } = await create(WEBHOOK);
  expect((await edit(id, { ...WEBHOOK, name: "ERP 1", version })).status).toBe(200);
  const second = await edit(id, { ...WEBHOOK, name: "ERP 2", version });
  expect(second).toMatchObject({ status: 409, json: { code: "content_changed" } });
  // Repeating the first edit after its answer was lost changes nothing and is no conflict.
  const repeated = await edit(id, { ...WEBHOOK, name: "ERP 1", version });
  expect(repeated).toMatchObject({ status: 200, json: { name: "ERP 1" } });
});

test("refuses another kind, a private address and events that a mail channel cannot get", async () => {
  const { id, version } = await create(WEBHOOK);
  const mail = { kind: "email", name: "ERP", target: "erp@example.com", events: ["people"] };
  expect((await edit(id, { ...mail, version })).status).toBe(404);
  const inside = await edit(id, { ...WEBHOOK, target: "https://127.0.0.1/", version });
  expect(inside.json.code).toBe("address_not_allowed");
  const made = await create(mail);
  const payouts = { ...mail, version: made.version, events: ["payout_settled"] };
  expect((await edit(made.id, payouts)).status).toBe(400);
});
