import { createServer } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import type { GatewayClient } from "#gateway/client.ts";
import { makeKeyring } from "#gateway/wire/keyring.ts";
import { FAULTS } from "#simulator/faults/faults.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";
import { transportOf } from "../support/servers/transport.ts";
import { clientTo, listen, submit } from "./clients.ts";
import { keyring, orderOf } from "./fixtures.ts";

const TIMEOUT_MS = 700;

interface Expected {
  readonly kind: "accepted" | "duplicate" | "declined" | "deferred" | "in_doubt";
  readonly until?: "wait" | "person";
  /** Number of payouts that the simulator accepted for the code. */
  readonly booked: 0 | 1;
}

const doubt = (booked: 0 | 1): Expected => ({ kind: "in_doubt", booked });
const stopped = (until: "wait" | "person"): Expected => ({ kind: "deferred", until, booked: 0 });

/** Every payout fault of the simulator, and the client's expected reaction. */
// biome-ignore format: the table is easier to read in columns
const EXPECTED: Readonly<Record<string, Expected>> = {
  code_109: { kind: "declined", booked: 0 },
  code_110: stopped("person"),
  code_111: { kind: "duplicate", booked: 0 },
  code_112: { kind: "deferred", booked: 0 },
  code_113: { kind: "deferred", booked: 0 },
  code_114: stopped("person"),
  code_115: stopped("person"),
  code_116: stopped("wait"),
  code_117: doubt(0),
  code_118: stopped("person"),
  code_119: stopped("wait"),
  code_120: { kind: "declined", booked: 0 },
  code_121: { kind: "declined", booked: 0 },
  code_122: { kind: "declined", booked: 0 },
  code_123: doubt(0),
  code_124: stopped("person"),
  code_131: doubt(0),
  code_999: doubt(0),
  cut_before: doubt(0),      cut_after: doubt(1),
  reset_before: doubt(0),    reset_after: doubt(1),
  hang_before: doubt(0),     hang_after: doubt(1),
  http_500_before: doubt(0), http_500_after: doubt(1),
  http_502_before: doubt(0), http_502_after: doubt(1),
  http_503_before: doubt(0),
  http_429: doubt(0),        http_429_after: doubt(1),
  http_401: stopped("person"),
  http_403: doubt(0),
  redirect: doubt(0),
  html_before: doubt(0),     html_after: doubt(1),
  empty_before: doubt(0),    empty_after: doubt(1),
  odd_before: doubt(0),      odd_after: doubt(1),
  slow: { kind: "accepted", booked: 1 },
  drip: doubt(1),
  huge: doubt(1),
  broken_off: doubt(1),
  truncated: doubt(1),
  code_123_after: doubt(1),
  late_arrival: doubt(1),
  other_payee: { kind: "duplicate", booked: 0 },
  race: { kind: "accepted", booked: 1 },
  slow_store: { kind: "accepted", booked: 1 },
  forget: { kind: "accepted", booked: 1 },
  burn: { kind: "deferred", booked: 0 },
};

let simulator: SimulatorProcess;
let client: GatewayClient;

beforeAll(async () => {
  simulator = await startSimulator({
    faults: Object.entries(FAULTS).map(([fault, { at }]) => ({
      fault,
      code: `F-${fault}`,
      delay_ms: at === "status" ? 5000 : 100,
    })),
  });
  client = clientTo(simulator.url, { timeoutMs: TIMEOUT_MS });
});
afterAll(async () => {
  client.close();
  await simulator.stop();
});

const linesOf = async (code: string) =>
  (await simulator.log()).filter(({ transaction_code }) => transaction_code === code);

test("covers each payout fault of the simulator", () => {
  const names = Object.keys(FAULTS).filter((name) => {
    const { at } = FAULTS[name] ?? {};
    return at !== "status" && at !== "callback";
  });
  expect(Object.keys(EXPECTED).sort()).toEqual(names.sort());
});

describe("a payout under each fault (F35, F36, F39, F40, F42, F43, F44, F45, F46, F114)", () => {
  test.each(Object.entries(EXPECTED))("%s", async (fault, expected) => {
    const code = `F-${fault}`;
    const startedMs = performance.now();
    const { outcome, evidence } = await submit(client, orderOf(code));
    // One total deadline, however slowly the bytes arrive (F43).
    expect(performance.now() - startedMs).toBeLessThan(TIMEOUT_MS + 500);

    expect(outcome.kind).toBe(expected.kind);
    const stop = outcome.kind === "deferred" ? outcome.stop : null;
    expect(stop?.until).toBe(expected.until);
    expect(evidence.text.length).toBeLessThanOrEqual(200);

    if (fault === "late_arrival") await new Promise((resolve) => setTimeout(resolve, 200));
    const lines = await linesOf(code);
    const requests = lines.filter(({ event }) => /accepted|refused|request/.test(event));
    // The HTTP client never retries by itself (F38).
    expect(requests).toHaveLength(1);
    expect(lines.filter(({ event }) => event === "accepted")).toHaveLength(expected.booked);
  });

  test("does not follow a redirect (F42)", async () => {
    const { evidence } = await submit(client, orderOf("F-redirect"));
    expect(evidence).toMatchObject({ httpStatus: 302 });
  });

  test("accepts a valid code, then reports a duplicate, on one connection", async () => {
    const { outcome, evidence } = await submit(client, orderOf("CLEAN-1"));
    expect(outcome).toEqual({ kind: "accepted" });
    expect(evidence).toMatchObject({
      httpStatus: 200,
      code: null,
      text: "request withdraw successful",
    });
    expect(Math.abs(evidence.dateOffsetMs ?? Infinity)).toBeLessThan(3000);
    expect((await submit(client, orderOf("CLEAN-1"))).outcome).toEqual({ kind: "duplicate" });
  });
});

describe("status", () => {
  // biome-ignore format: the table is easier to read in columns
  const STATUS: Readonly<Record<string, string>> = {
    status_lag: "not_found",          status_unknown: "not_found",   status_stranger: "no_answer",
    status_wrong_amount: "completed", status_wrong_currency: "completed",
    status_contradiction: "unclear",  status_pending: "pending",     status_manual: "manual",
    status_zero: "unclear",           status_failed: "failed",       status_flip: "completed",
    status_reversed: "completed",     status_backwards: "completed", status_twins: "completed",
    status_rivals: "unclear",         status_garbage: "no_answer",   status_html: "no_answer",
    status_500: "no_answer",          status_401: "no_answer",       status_115: "no_answer",
    status_other_fee: "completed",    status_odd_fee: "completed",
    status_cut: "no_answer",          status_hang: "no_answer",      status_slow: "no_answer",
  };

  test("covers each status fault of the simulator", () => {
    const names = Object.keys(FAULTS).filter((name) => FAULTS[name]?.at === "status");
    expect(Object.keys(STATUS).sort()).toEqual(names.sort());
  });

  test.each(Object.entries(STATUS))("%s", async (fault, expected) => {
    const code = `F-${fault}`;
    expect((await submit(client, orderOf(code))).outcome.kind).toBe("accepted");
    // Long enough to be settled (50 ms), short enough for the lag of 5 s.
    await new Promise((resolve) => setTimeout(resolve, 120));
    const { answer } = await client.status("INR", code);
    const told = answer.kind === "found" ? answer.record.state : answer.kind;
    expect(told).toBe(expected);
    if (answer.kind !== "found") return;
    expect(answer.record.amount).toBe(fault === "status_wrong_amount" ? "200.50" : "100.50");
    expect(answer.record.currency).toBe(fault === "status_wrong_currency" ? "THB" : "INR");
    expect(answer.record.gatewayNumber).toMatch(/^WD\d+$/);
  });

  test("follows the changing answers of flip, reversed and backwards", async () => {
    const states = async (fault: string) => {
      const found: string[] = [];
      for (let query = 0; query < 3; query += 1) {
        const { answer } = await client.status("INR", `F-${fault}`);
        found.push(answer.kind === "found" ? answer.record.state : answer.kind);
      }
      return found;
    };
    expect(await states("status_flip")).toEqual(["failed", "completed", "failed"]);
    expect(await states("status_reversed")).toEqual(["failed", "failed", "failed"]);
    expect(await states("status_backwards")).toEqual(["pending", "pending", "pending"]);
  });

  test("supports both encodings of the form, the documented one by default (F125)", async () => {
    await submit(client, orderOf("CLEAN-2"));
    for (const statusEncoding of ["base64", "percent"] as const) {
      const other = clientTo(simulator.url, { statusEncoding });
      expect((await other.status("INR", "CLEAN-2")).answer.kind).toBe("found");
      other.close();
    }
  });

  test("reports an unknown code as not found, and another client's payout with its own amount", async () => {
    expect((await client.status("INR", "NEVER-SEEN")).answer.kind).toBe("not_found");
    const { answer } = await client.status("INR", "F-other_payee");
    expect(answer).toMatchObject({ kind: "found", record: { amount: "200.50" } });
  });
});

describe("proven not sent (F34)", () => {
  const notSent = { kind: "deferred", code: "not_sent", stop: { until: "wait" } };

  test("connection refused", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    for (const host of ["127.0.0.1", "localhost"]) {
      const other = clientTo(`http://${host}:${port}`);
      expect((await submit(other, orderOf("N1"))).outcome).toMatchObject(notSent);
      expect((await other.status("INR", "N1")).answer).toMatchObject({ kind: "no_answer" });
      expect(await other.probe()).toMatchObject({ reachable: false });
      other.close();
    }
  });

  test("unknown host name", async () => {
    const other = clientTo("http://gateway.invalid", { timeoutMs: 20_000 });
    expect((await submit(other, orderOf("N2"))).outcome).toMatchObject(notSent);
    other.close();
  });

  test("deadline passed while waiting for a socket", async () => {
    const received: string[] = [];
    const silent = await listen((server) =>
      server.on("connection", (socket) => socket.on("data", () => received.push("a request"))),
    );
    const other = clientTo(silent.url, { maxSockets: 1, timeoutMs: 300 });
    const first = submit(other, orderOf("N3"));
    const second = submit(other, orderOf("N4"));
    expect((await first).outcome).toMatchObject({ kind: "in_doubt", code: "no_answer" });
    const { outcome } = await second;
    await new Promise((resolve) => setTimeout(resolve, 100));
    // On a busy machine the socket may become free before the second request times out. Then that
    // request is in flight.
    const onTheWire = { kind: "in_doubt", code: "no_answer" };
    expect(outcome).toMatchObject(received.length === 1 ? notSent : onTheWire);
    other.close();
    silent.stop();
  });

  test("the order cannot be encoded, or no merchant pays its currency", async () => {
    const odd = orderOf("N5", { details: { account_name: "A&B" } });
    expect(await client.submitPayout(odd)).toMatchObject({
      kind: "not_encodable",
      text: expect.stringMatching(/^account_name contains &/),
    });
    const gold = orderOf("N6", { money: { currency: "XAU", minor: 1n, minorDigits: 0 } });
    expect((await submit(client, gold)).outcome).toMatchObject({
      code: "no_merchant",
      stop: { until: "person" },
    });
    expect(await linesOf("N5")).toEqual([]);
  });
});

/** The bytes of an answer, for a server that is only a socket. */
function answerOf(document: object): string {
  const body = JSON.stringify(document);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

test("treats a reset on a kept connection as no answer, without a second request (F38)", async () => {
  let requests = 0;
  const server = await listen((it) =>
    it.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        requests += 1;
        if (requests > 1) {
          socket.resetAndDestroy();
          return;
        }
        socket.write(answerOf({ success: true, data: [] }));
      });
    }),
  );
  const other = clientTo(server.url, { maxSockets: 1 });
  expect((await other.status("INR", "K1")).answer.kind).toBe("not_found");
  expect((await other.status("INR", "K2")).answer.kind).toBe("no_answer");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(requests).toBe(2);
  other.close();
  server.stop();
});

test("stores an answer that repeats secrets or the account without them", async () => {
  const merchant = keyring.forCurrency("INR");
  const message = `odd ${merchant?.apiKey.reveal()} ${merchant?.apiSecret.reveal()} 11133322 \u0007`;
  const server = await listen((it) =>
    it.on("connection", (socket) =>
      socket.once("data", () => {
        const body = JSON.stringify({ success: true, message });
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }),
    ),
  );
  const other = clientTo(server.url);
  const submission = await submit(other, orderOf("S1"));
  expect(submission.outcome).toMatchObject({
    kind: "in_doubt",
    text: "odd [secret] [secret] [digits]  ",
  });
  expect(inspect(submission, { depth: 9 })).not.toMatch(/11133322|ZGVtby/);
  other.close();
  server.stop();
});

test("handles a base path and a trailing slash in the address", async () => {
  const seen: string[] = [];
  const server = await listen((it) =>
    it.on("connection", (socket) =>
      socket.once("data", (bytes) => {
        seen.push(bytes.toString().split("\r\n")[0] ?? "");
        socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      }),
    ),
  );
  const other = clientTo(`${server.url}/base/`);
  await submit(other, orderOf("P1"));
  const code = keyring.forCurrency("INR")?.merchantCode;
  expect(seen).toEqual([`POST /base/api/v1/payout/${code} HTTP/1.1`]);
  other.close();
  server.stop();
});

test("reports in the probe that a server answers, and the clock difference (F61)", async () => {
  const early = clientTo(simulator.url, {
    clock: { ...systemClock, nowMs: () => Date.now() - 7_200_000 },
  });
  const { reachable, clockOffsetMs } = await early.probe();
  expect(reachable).toBe(true);
  expect(Math.abs((clockOffsetMs ?? 0) - 7_200_000)).toBeLessThan(3000);
  // With this difference the gateway refuses every timestamp, so the whole lane waits.
  expect((await submit(early, orderOf("CLOCK"))).outcome).toMatchObject({
    kind: "deferred",
    code: "112",
    stop: { until: "wait" },
  });
  early.close();
});

test("sends the same amounts with the JSON layout and with percent escaping (F124)", async () => {
  const percent = await startSimulator({ escaping: "percent" });
  const name = { ...orderOf("").details, account_name: "Smith & Sons = 50% + 1" };
  const json = clientTo(simulator.url, { payoutLayout: "json" });
  const escaped = clientTo(percent.url, { escaping: "percent" });
  expect((await submit(json, orderOf("J1", { details: name }))).outcome.kind).toBe("accepted");
  expect((await submit(escaped, orderOf("E1", { details: name }))).outcome.kind).toBe("accepted");
  expect((await escaped.status("INR", "E1")).answer.kind).toBe("found");
  for (const lines of [await linesOf("J1"), await percent.log()]) {
    expect(lines[0]).toMatchObject({ event: "accepted", amount: "100.50", currency: "INR" });
  }
  json.close();
  escaped.close();
  await percent.stop();
});

test("encodes payouts in the merchant's own layout (F124)", async () => {
  const mixed = makeKeyring(
    keyring.all.map((merchant) =>
      merchant.currencies.includes("BRL") ? { ...merchant, payoutLayout: "json" } : merchant,
    ),
  );
  const client = clientTo(simulator.url, { keyring: mixed });
  const details = {
    user_id: "U1",
    account_name: "Silva & Filhos",
    bank_account_number: "52998224725",
    bank_code: "PHONE",
    bank_name: "+5511998765432",
  };
  const money = { currency: "BRL", minor: 10050n, minorDigits: 2 };
  expect((await submit(client, orderOf("PIX1", { details, money }))).outcome.kind).toBe("accepted");
  expect((await client.status("BRL", "PIX1")).answer.kind).toBe("found");
  const rupees = orderOf("PIX2");
  const other = { ...rupees, details: { ...rupees.details, bank_name: "Punjab & Sind Bank" } };
  expect((await client.submitPayout(other)).kind).not.toBe("attempted");
  expect(await linesOf("PIX2")).toEqual([]);
  client.close();
});

test("reads refusals in the newer format in the same way", async () => {
  const newer = await startSimulator({ refusals: "400", balance: "INR=100" });
  const other = clientTo(newer.url);
  const poor = await submit(other, orderOf("R1"));
  expect(poor.outcome).toMatchObject({ kind: "deferred", code: "119", stop: { until: "wait" } });
  expect(poor.evidence.httpStatus).toBe(400);
  await newer.setBalance({ INR: "1000" });
  expect((await submit(other, orderOf("R1"))).outcome).toEqual({ kind: "accepted" });
  other.close();
  await newer.stop();
});

test("records the duration of an exchange in microseconds, too short to be taken for an account number", async () => {
  const times = [1_000, 1_000.8501077142136];
  const clock = { ...systemClock, monotonicMs: () => times.shift() ?? Number.NaN };
  const silent = async () => ({ code: "ETIMEDOUT", proof: "none" }) as const;
  const transport = transportOf({ post: silent, get: silent });
  const { evidence } = await submit(
    clientTo("http://gateway.example", { clock }, transport),
    orderOf("T1"),
  );
  expect(evidence.elapsedMs).toBe(0.85);
});
