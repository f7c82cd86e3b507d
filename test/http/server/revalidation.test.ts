import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ask = (path: string, known: string, who = server.as("viewer")) =>
  who.get(path, { headers: { "if-none-match": known } });

test("answers 304 without a body while a document stays the same", async () => {
  const first = await server.as("viewer").get("/api/batches");
  const tag = String(first.headers.etag);
  expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
  expect(first.headers["cache-control"]).toBe("no-store");
  for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
    const again = await ask("/api/batches", known);
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", tag]);
  }
  expect((await ask("/api/batches", '"other"')).json).toEqual(first.json);

  await server.as("uploader").post("/api/batches?file_name=a.csv", fileText(rowsOf(2)));
  const changed = await ask("/api/batches", tag);
  expect([changed.status, changed.json.items.length]).toEqual([200, first.json.items.length + 1]);
  expect(changed.headers.etag).not.toBe(tag);
});

test("checks the permission also for a document that the client knows", async () => {
  const { headers } = await server.as("admin").get("/api/users");
  const tag = String(headers.etag);
  expect((await ask("/api/users", tag, server.as("admin"))).status).toBe(304);
  expect((await ask("/api/users", tag, server.as("viewer"))).status).toBe(403);
  expect((await ask("/api/users", tag, server.nobody)).status).toBe(401);
});

test("gives no entity tag to a session, a refusal or a change", async () => {
  const viewer = server.as("viewer");
  const answers = await Promise.all([
    viewer.get("/api/session"),
    viewer.get("/api/batches/NOPE"),
    server.as("operator").post("/api/lanes/pause", { lane: "all", reason: "a test" }),
  ]);
  for (const { headers } of answers) expect(headers).not.toHaveProperty("etag");
});
