import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { laneIn, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
const INR = laneIn("INR");
beforeAll(async () => {
  server = await startTestServer();
  await ingestFile(server.deps.ledger, fileText(rowsOf(1)));
});
afterAll(() => server.close());

/** Read from now on: users share an answer that may be a moment old. */
const laneOf = async () => {
  const sinceMs = systemClock.nowMs();
  for (;;) {
    const { json } = await server.as("viewer").get("/api/operations");
    if (Date.parse(json.at) > sinceMs)
      return json.lanes.find((each: { lane: string }) => each.lane === INR);
    await systemClock.sleep(100);
  }
};

describe("rate limits of a lane", () => {
  const set = (limits: object, as: "operator" | "viewer" = "operator") =>
    server
      .as(as)
      .post("/api/lanes/rate-limits", { lane: INR, reason: "a new contract", ...limits });

  test("are set by an operator one by one, shown with the operator's name, and removed", async () => {
    expect((await set({ rate: 20 }, "viewer")).status).toBe(403);
    expect((await set({ rate: 20, concurrency: 8 })).status).toBe(204);
    expect((await set({ rate: null })).status).toBe(204);
    expect((await laneOf()).limits).toMatchObject({
      rate: null,
      concurrency: 8,
      slow_rate: null,
      set_by: expect.stringContaining("operator"),
    });
    expect((await set({ concurrency: null })).status).toBe(204);
    expect((await laneOf()).limits).toBeNull();
  });

  test.each([{}, { rate: 0 }, { rate: -1 }, { concurrency: 0.5 }, { rate: 1e9 }])(
    "are refused when invalid: %o",
    async (limits) => {
      expect((await set(limits)).status).toBe(400);
    },
  );

  test("require an existing lane", async () => {
    expect((await set({ rate: 1, lane: "none/INR" })).status).toBe(404);
  });
});
