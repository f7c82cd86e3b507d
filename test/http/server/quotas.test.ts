/** One user's uploads leave the others their share. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  // A stopped clock: no quota recovers meanwhile.
  server = await startTestServer({ clock: { ...systemClock, monotonicMs: () => 0 } });
});
afterAll(() => server.close());

test("makes a user who uploads file after file wait, and no other user", async () => {
  const get = () => server.as("viewer").get("/api/templates/INR?format=csv");
  const codes: number[] = [];
  for (let files = 0; files < 61; files += 1) codes.push((await get()).status);
  expect(codes).toEqual([...Array(60).fill(200), 429]);
  const { json, headers } = await get();
  expect([json.code, headers["retry-after"]]).toEqual(["too_many_uploads", "5"]);
  expect((await server.as("uploader").get("/api/templates/INR?format=csv")).status).toBe(200);
  expect((await server.as("viewer").get("/api/batches")).status).toBe(200);
});
