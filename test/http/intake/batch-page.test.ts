import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Readable } from "node:stream";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { correct } from "#flows/intake/correct.ts";
import { batchView } from "#views/intake/batch.ts";
import { approvedBatch, claimOf, ingestFile, laneIn, TEST_KEYRING } from "../../support/ledger.ts";
import { endSessions } from "#ledger/people/sessions.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { eventually } from "../../support/servers/eventually.ts";

let server: TestServer;
let address: string;
beforeAll(async () => {
  server = await startTestServer();
  // A single person may approve here: approval is not the subject of this test.
  await server.deps.database
    .insertInto("settings")
    .values({ name: "approval people", value: "1" })
    .execute();
  address = await server.listen();
});
afterAll(() => server.close());

const rows = rowsOf(4, (index) => ({ currency: index < 3 ? "INR" : "THB", amount: "10.00" }));

describe("the batch page", () => {
  test("I3 balances in every answer while rows are being added", async () => {
    const { database, sealer, ledger } = server.deps;
    const file = fileText(rowsOf(25, () => ({ ifsc: "HDFCO000001" })));
    const { batch } = await ingestFile(ledger, file);
    const [header = "", ...wrong] = file.trim().split("\n");
    const settings = {
      ledger,
      database,
      sealer,
      keyring: TEST_KEYRING,
      rows: DEFAULT_ROW_SETTINGS,
    };
    const writing = { isDone: false };
    const repair = async () => {
      for (const [at, row] of wrong.entries()) {
        const text = `${header},line\n${row.replace("HDFCO", "HDFC0")},${at + 2}\n`;
        const open = () => Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
        const repaired = { fileName: "r.csv", open, actor: "maker" };
        const corrected = await correct(batch.id, repaired, { ...settings, at: new Date() });
        expect(corrected).toMatchObject({ ok: true, value: { corrected: 1 } });
      }
      writing.isDone = true;
    };
    const look = async () => {
      const wholes = new Set<string>();
      while (!writing.isDone) {
        for (const { approved, adds_up } of (await batchView(batch.id, server.deps)).equation) {
          expect(adds_up).toBe(true);
          wholes.add(approved);
        }
      }
      return wholes;
    };
    const [wholes] = await Promise.all([look(), look(), look(), repair()]);
    expect(wholes.size).toBeGreaterThan(1);
  });

  test("I3 shows where the money is, per currency, and that it balances", async () => {
    const { ledger } = server.deps;
    const { id } = await approvedBatch(ledger, rows);
    const [opened] = await ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }));
    if (!opened) throw new Error("no payout was claimed");
    await ledger.payout.move({
      payoutId: opened.payoutId,
      seq: opened.seq,
      from: "submitting",
      event: "decline",
      reason: "refused: 120",
      dueInMs: 0,
      actor: "test",
      evidence: { kind: "answer", attempt: 1, facts: { elapsedMs: 40 } },
    });
    const { json } = await server.as("viewer").get(`/api/batches/${id}`);
    expect(json).toMatchObject({ state: "approved", payouts: 4, frozen: null });
    expect(
      json.equation.map(({ currency, approved, adds_up }: Record<string, unknown>) => [
        currency,
        approved,
        adds_up,
      ]),
    ).toEqual([
      ["INR", "30.00", true],
      ["THB", "10.00", true],
    ]);
    const [inr] = json.equation;
    expect(inr.parts.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { part: "unsent", count: 2, amount: "20.00" },
      { part: "declined", count: 1, amount: "10.00" },
    ]);
    expect(json.pace).toMatchObject({ p95_ms: 40 });

    const { json: course } = await server.as("viewer").get(`/api/batches/${id}/progress`);
    expect(course.sampled).toBe(4);
    expect(course.points.at(-1)).toMatchObject({ sent: 1, settled: 0, declined: 1 });
    expect(course.reasons).toMatchObject([
      { state: "declined", reason: "refused", count: 1, currency: "INR", amount: "10.00" },
    ]);
  });

  test("reports a sum that does not balance", async () => {
    const { id } = await approvedBatch(server.deps.ledger, [{ amount: "10.00" }]);
    await server.deps.database
      .updateTable("batch_lanes")
      .set({ total_minor: "1001" })
      .where("batch_id", "=", id)
      .execute();
    const { json } = await server.as("viewer").get(`/api/batches/${id}`);
    expect(json.equation).toMatchObject([{ approved: "10.01", adds_up: false }]);
  });

  test("lets operators control the batch with a reason, and shows the change immediately", async () => {
    const { id } = await approvedBatch(server.deps.ledger, rows);
    const operator = server.as("operator");
    const page = async () => (await operator.get(`/api/batches/${id}`)).json;
    expect((await page()).you.pause).toEqual({ may: true, why_not: null });
    const viewer = await server
      .as("viewer")
      .post(`/api/batches/${id}/pause`, { reason: "because" });
    expect(viewer.json.code).toBe("forbidden");
    expect((await operator.post(`/api/batches/${id}/pause`, {})).json.code).toBe("invalid_request");

    await operator.post(`/api/batches/${id}/pause`, { reason: "the bank called" });
    expect(await page()).toMatchObject({ state: "paused", reason: "the bank called" });
    const resume = async () => operator.post(`/api/batches/${id}/resume`, { reason: "it is fine" });
    expect((await resume()).status).toBe(204);
    expect((await resume()).json.code).toBe("wrong_state");
    expect((await page()).state).toBe("approved");
    const unsent = async () => (await operator.get(`/api/batches/${id}/unsent`)).json;
    expect(await unsent()).toMatchObject({
      payouts: 4,
      sums: [{ currency: "INR" }, { currency: "THB" }],
    });
    const cancelled = await operator.post(`/api/batches/${id}/cancel`, { reason: "wrong month" });
    expect(cancelled.json).toEqual({ cancelled: 4, state: "cancelled" });
    expect((await server.as("viewer").get(`/api/batches/${id}`)).json).toMatchObject({
      cancelled: { name: "operator", reason: "wrong month", at: expect.any(String) },
    });
    expect(await unsent()).toEqual({ payouts: 0, sums: [] });
    const twice = await operator.post(`/api/batches/${id}/cancel`, { reason: "wrong month" });
    expect(twice.json.code).toBe("wrong_state");
    const { id: waiting } = (await ingestFile(server.deps.ledger, fileText(rowsOf(1)))).batch;
    const early = await operator.post(`/api/batches/${waiting}/pause`, { reason: "wrong month" });
    const why =
      "Its state is “awaiting approval”: validated and awaiting approval. Its payouts are not being sent.";
    expect(early.json.detail).toBe(why);
    await server
      .as("uploader")
      .post(`/api/batches/${waiting}/request-approval`, { purpose: "week 47" });
    const said = (await operator.get(`/api/batches/${waiting}/timeline`)).json.items;
    expect(said).toContainEqual(expect.objectContaining({ action: "describe", text: "week 47" }));
    const view = await operator.get(`/api/batches/${waiting}`);
    expect(view.json).toMatchObject({ purpose: "week 47" });
    expect((await operator.get("/api/batches/B0")).status).toBe(404);

    const { json } = await operator.get(`/api/batches/${id}/timeline`);
    const told = json.items.map(
      ({ by, action, text }: { by: { name: string } } & Record<string, unknown>) => [
        by.name,
        action,
        text,
      ],
    );
    expect(told.slice(2, 5)).toEqual([
      ["operator", "pause", "the bank called"],
      ["operator", "resume", "it is fine"],
      ["operator", "cancel_rest", "wrong month"],
    ]);
  });

  test("names who paused a lane, and resumes the batch without restarting its lanes", async () => {
    const { ledger } = server.deps;
    const { id } = await approvedBatch(ledger, rows);
    const operator = server.as("operator");
    const page = async () => (await operator.get(`/api/batches/${id}`)).json;
    const [inr, thb] = [laneIn("INR"), laneIn("THB")];
    await operator.post("/api/lanes/pause", { lane: inr, reason: "the bank called" });
    await ledger.payout.stopLane(thb, { until: "person", reason: "wrong key" });
    const stops = async () =>
      (await page()).lanes.map(({ stopped }: { stopped: unknown }) => stopped);
    expect(await stops()).toMatchObject([
      { reason: "the bank called", paused_by: "operator", all_lanes: false, breaker: null },
      { reason: "wrong key", paused_by: null, breaker: { code: "set_up" } },
    ]);
    expect((await page()).you.resume).toEqual({ may: false, why_not: "The batch is not paused." });
    const resume = async () => operator.post(`/api/batches/${id}/resume`, { reason: "go on" });
    expect((await resume()).json.code).toBe("wrong_state");
    await operator.post(`/api/batches/${id}/pause`, { reason: "wait" });
    expect((await resume()).status).toBe(204);
    expect(await stops()).toMatchObject([{ paused_by: "operator" }, { reason: "wrong key" }]);
    await operator.post("/api/lanes/resume", { lane: inr, reason: "done" });
    await operator.post("/api/lanes/pause", { lane: "all", reason: "maintenance" });
    await expect
      .poll(stops, { timeout: 10_000 })
      .toMatchObject([{ reason: "maintenance", all_lanes: true }, { reason: "wrong key" }]);
    await operator.post("/api/lanes/resume", { lane: "all", reason: "done" });
    await operator.post("/api/lanes/open", { lane: thb, reason: "new key" });
    await expect.poll(stops, { timeout: 10_000 }).toEqual([null, null]);
  });
});

/** Reads the stream: received events and documents. */
async function listen(topics: string, who: "viewer" | "operator" | Caller) {
  const { headers } = typeof who === "string" ? server.as(who) : who;
  const stop = new AbortController();
  const response = await fetch(`${address}/api/live?topics=${topics}`, {
    headers,
    signal: stop.signal,
  });
  const events: { event: string; document: Record<string, unknown> }[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return "ended";
      text += piece.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, event] = /^event: (.+)$/m.exec(block) ?? [];
        const [, json] = /^data: (.+)$/m.exec(block) ?? [];
        if (event && json)
          events.push({ event, document: JSON.parse(json) as Record<string, unknown> });
      }
    }
  })().catch(() => "stopped");
  return { status: response.status, response, events, reading, stop: () => stop.abort() };
}

describe("the live stream", () => {
  test("sends the page's document, and again when it changes", async () => {
    const { batch } = await ingestFile(server.deps.ledger, fileText(rows));
    const topic = `batch:${batch.id}`;
    const [one, other] = [await listen(topic, "viewer"), await listen(topic, "operator")];
    expect(one.response.headers.get("content-type")).toMatch("text/event-stream");
    await eventually("the first document", () => one.events.length > 0 && other.events.length > 0);
    expect(one.events[0]).toMatchObject({
      event: topic,
      document: { batch_id: batch.id, state: "awaiting_approval" },
    });
    const { json } = await server.as("viewer").get(`/api/batches/${batch.id}`);
    const { you: _you, ...view } = json;
    expect(one.events[0]?.document).toEqual(view);

    await server.as("operator").post(`/api/batches/${batch.id}/cancel`, { reason: "wrong month" });
    await eventually("the change", () =>
      [one, other].every(({ events }) => events.at(-1)?.document["state"] === "cancelled"),
    );
    one.stop();
    other.stop();
  });

  test("requires a session and a valid topic, and says nothing about a missing batch", async () => {
    expect((await server.nobody.get("/api/live?topics=batch:B1")).status).toBe(401);
    expect((await server.as("viewer").get("/api/live?topics=secrets")).status).toBe(404);
    expect((await server.as("viewer").get("/api/live?topics=../x")).status).toBe(400);
    const none = await listen("batch:B0", "viewer");
    expect(none.status).toBe(200);
    none.stop();
    expect((await server.as("viewer").get("/api/live?topics=constructor")).status).toBe(404);
  });

  test("stops when the session ends", async () => {
    const { batch } = await ingestFile(server.deps.ledger, fileText(rowsOf(2)));
    const leaver = await server.newUser(["viewer"]);
    const stream = await listen(`batch:${batch.id}`, leaver);
    await eventually("the first document", () => stream.events.length > 0);
    const { database, clock } = server.deps;
    await clock.sleep(1_100);
    await endSessions(database, { userId: leaver.userId }, new Date(clock.nowMs()));
    await server.as("operator").post(`/api/batches/${batch.id}/cancel`, { reason: "wrong month" });
    expect(await stream.reading).toBe("ended");
    expect(stream.events.map(({ event }) => event)).toEqual([`batch:${batch.id}`, "signed_out"]);
  });

  test("is limited to ten per session, and available again after one closes", async () => {
    const viewer = await server.newUser(["viewer"]);
    const streams = [];
    for (let opened = 0; opened < 10; opened += 1) streams.push(await listen("batch:B0", viewer));
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await viewer.get("/api/live?topics=batch:B0")).json.code).toBe("too_many_streams");
    const other = await listen("batch:B0", "operator");
    expect(other.status).toBe(200);
    other.stop();
    streams[0]?.stop();
    await eventually("a free place", async () => {
      const again = await listen("batch:B0", viewer);
      streams.push(again);
      return again.status === 200;
    });
    for (const { stop } of streams) stop();
  });
});
