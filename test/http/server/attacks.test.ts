/**
 * Attacks that an audit tried without success. Other files contain more: SQL and paths
 * (hostile-values), forged requests (access), callbacks, webhook addresses (notices/address), other
 * users' views (views), formulas (laws/cells).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { systemClock } from "#base/clock.ts";
import { ROLE_NAMES } from "#people/roles.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { PASSWORD, peopleOf } from "../../support/actions/people.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const { joined, newAdmin, signIn, steppedUp } = peopleOf(() => server, systemClock);

describe("data of another person", () => {
  test("keeps rejected rows and batch copies from other uploaders as well", async () => {
    const maker = await server.newUser(["uploader"]);
    const { batch } = await ingestFile(
      server.deps.ledger,
      fileText(rowsOf(2)),
      `user:${maker.userId}`,
    );
    const other = await server.newUser(["uploader"]);
    for (const file of ["rejects", "copy"]) {
      const { status, json } = await other.get(`/api/batches/${batch.id}/${file}`);
      expect([file, status, json.code]).toEqual([file, 403, "forbidden"]);
    }
    const report = await other.get(`/api/batches/${batch.id}/report`);
    expect(report.text).toContain("•");
  });

  test("does not carry a step-up to another session of the same person", async () => {
    const { email, user } = await joined(["admin"]);
    await steppedUp(await server.newUser(["admin"]));
    const elsewhere = server.entered(await signIn(email));
    // Its own sign-in counts for five minutes.
    await server.deps.database.updateTable("sessions").set({ stepped_up_until: null }).execute();
    const invite = { email: "new@example.test", name: "New", roles: ["viewer"] };
    expect((await user.post("/api/session/step-up", { password: PASSWORD })).status).toBe(200);
    expect((await elsewhere.post("/api/users", invite)).json.code).toBe("step_up_required");
  });
});

describe("fields beyond the form", () => {
  test("are refused: an invitation creates no active user", async () => {
    const admin = await newAdmin();
    const invite = { email: "more@example.test", name: "More", roles: ["viewer"] };
    const more = { id: "US1", state: "active", password: PASSWORD, has_totp: true };
    for (const [field, value] of Object.entries(more)) {
      const { status } = await admin.post("/api/users", { ...invite, [field]: value });
      expect([field, status]).toEqual([field, 400]);
    }
    const { items } = (await admin.get("/api/users")).json;
    expect(items.map(({ email }: { email: string }) => email)).not.toContain(invite.email);
    expect((await signIn(invite.email)).status).toBe(401);
  });

  test("cannot pollute a prototype", async () => {
    const admin = await newAdmin();
    for (const text of [
      '{"__proto__":{"roles":["admin"]},"email":"p@example.test","name":"P"}',
      '{"constructor":{"prototype":{"roles":["admin"]}},"email":"p@example.test","name":"P"}',
    ]) {
      const headers = { "content-type": "application/json" };
      const { status } = await admin.post("/api/users", Buffer.from(text), { headers });
      expect(status).toBe(400);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("a request that a form of another page could send", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "is not accepted as JSON: %s",
    async (type) => {
      const admin = await newAdmin();
      const headers = { "content-type": type };
      const body = Buffer.from('{"lane":"all","reason":"x"}');
      const answer = await admin.post("/api/users", body, { headers });
      expect([answer.status, answer.json.code]).toEqual([415, "unsupported_type"]);
    },
  );
});

test("limits the body of every operation", async () => {
  const everybody = await steppedUp(await server.newUser(ROLE_NAMES));
  const body = Buffer.from(JSON.stringify({ x: "x".repeat(70_000) }));
  const headers = { "content-type": "application/json" };
  for (const [name, operation] of Object.entries<ApiOperation>(API)) {
    const [method = "", path = ""] = name.split(" ");
    if (!operation.body || operation.upload) continue;
    const url = path.replaceAll(/:\w+/g, "X1");
    const { status } = await everybody.send(method, url, { body, headers });
    expect([name, status]).toEqual([name, 413]);
  }
});

test("keeps request data out of response headers", async () => {
  const uploader = server.as("uploader");
  const name = encodeURIComponent('x.csv"\r\nset-cookie: a=b');
  const refused = await uploader.post(`/api/batches?file_name=${name}`, fileText(rowsOf(1)));
  expect(refused.status).toBe(400);
  const { json } = await uploader.post(
    "/api/batches?file_name=%22;filename=evil.exe;.csv",
    fileText(rowsOf(4)),
  );
  const { headers } = await uploader.get(`/api/batches/${json.batch.batch_id}/report`);
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="${json.batch.batch_id}-report.csv"`,
  );
  expect(headers["set-cookie"]).toBeUndefined();
});
