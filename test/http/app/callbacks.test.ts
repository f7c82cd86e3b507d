import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { request as httpRequest } from "node:http";
import type { FastifyInstance } from "fastify";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CallbackHint, openCallback } from "#gateway/callback.ts";
import { Cipher } from "#gateway/wire/cipher.ts";
import { makeKeyring, parseMerchants } from "#gateway/wire/keyring.ts";
import { createApp } from "#http/app/app.ts";
import { Secret } from "#base/secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

const [merchant] = DEMO_MERCHANTS.filter(({ currencies }) => currencies.includes("INR"));
if (!merchant) throw new Error("no INR merchant");
const parsed = parseMerchants(DEMO_MERCHANTS);
if (!parsed.ok) throw new Error(parsed.error);
const keyring = makeKeyring(parsed.value);
const cipher = new Cipher(new Secret(merchant.api_key), new Secret(merchant.api_secret));

const PATH = `/callbacks/${merchant.merchant_code}`;
const FIELDS = {
  transaction_no: "WD1",
  transaction_code: "PR1",
  transaction_status: 2,
  transaction_amount: "100.00",
  transaction_fee: "0.00",
  currency_code: "INR",
  transaction_ref: "",
};
const genuine = (fields: object = FIELDS) =>
  JSON.stringify({
    key: encodeURIComponent(cipher.seal(JSON.stringify(fields))),
    transaction_code: "PR1",
    transaction_no: "WD1",
  });

const DEPOSIT = {
  transaction_code: "PR1",
  transaction_status: 2,
  transaction_amount: "100.00",
  transaction_fee: "0.00",
  currency_code: "INR",
  transaction_no: "DP1",
  transaction_actual_amount: "99.00",
};
/** Both kinds, each in both layouts. */
const KINDS = [FIELDS, DEPOSIT].flatMap((fields) => {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return [JSON.stringify(fields), pairs.join("&")].map((text) =>
    JSON.stringify({
      key: encodeURIComponent(cipher.seal(text)),
      transaction_code: fields.transaction_code,
      transaction_no: fields.transaction_no,
    }),
  );
});

let hints: CallbackHint[];
let receive: (hint: CallbackHint) => Promise<void>;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  app = createApp({
    log: pino({ level: "silent" }),
    openCallback(body) {
      const hint = openCallback(body, keyring);
      return hint && (() => receive(hint));
    },
    health: async () => [],
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  hints = [];
  receive = async (hint) => void hints.push(hint);
});

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Over a real connection: what a sender sees, header by header, except the time. */
function post(
  body: string | Buffer,
  options: { type?: string | null; method?: string; path?: string } = {},
): Promise<Answered> {
  const { type = "application/json", method = "POST", path = PATH } = options;
  return new Promise((resolve, reject) => {
    const headers = type === null ? {} : { "content-type": type };
    const request = httpRequest(url + path, { method, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => (text += piece.toString()));
      response.on("end", () => {
        const { date: _date, ...others } = response.headers;
        resolve({ status: response.statusCode, body: text, headers: others });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

const inject = async (payload: string | Buffer, remoteAddress = "127.0.0.1") => {
  const { statusCode, headers, body } = await app.inject({
    method: "POST",
    remoteAddress,
    url: PATH,
    headers: { "content-type": "application/json" },
    payload,
  });
  const { date: _date, ...others } = headers;
  return JSON.stringify([statusCode, body, others]);
};
const settled = () => new Promise((done) => setTimeout(done, 50));

describe("F111 the callback endpoint", () => {
  test("answers a genuine callback as documented, and passes it on", async () => {
    const answer = await post(genuine());
    expect(answer).toMatchObject({ status: 200, body: "success" });
    await settled();
    expect(hints).toMatchObject([{ transactionCode: "PR1", state: "completed", amount: "100.00" }]);
  });

  test("reads one that begins with a byte order mark", async () => {
    await inject(`\uFEFF${genuine()}`);
    await settled();
    expect(hints).toMatchObject([{ transactionCode: "PR1" }]);
  });

  test("decrypts both kinds in both layouts, with identical answers", async () => {
    const answers = new Set<string>();
    for (const body of KINDS) answers.add(await inject(body));
    await settled();
    expect(hints.map(({ kind }) => kind)).toEqual(["payout", "payout", "deposit", "deposit"]);
    expect([...answers]).toEqual([await inject(genuine())]);
  });

  test("answers 10,000 tampered or garbage bodies identically", async () => {
    const expected = await inject(genuine());
    const kind = fc.constantFrom(...KINDS);
    const answers = new Set<string>();
    const bodies = fc.sample(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.json(),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        // One byte of a genuine callback changed.
        fc.tuple(kind, fc.nat(), fc.nat(255)).map(([clean, place, byte]) => {
          const body = Buffer.from(clean);
          body[place % body.length] = byte;
          return body;
        }),
        fc.tuple(kind, fc.nat(600)).map(([clean, length]) => clean.slice(0, length)),
        fc.base64String().map((key) => JSON.stringify({ key, transaction_code: "PR1" })),
      ),
      { numRuns: 10_000, seed: 7 },
    );
    for (const body of bodies) answers.add(await inject(body));
    expect([...answers]).toEqual([expected]);
  });

  test.each([
    ["a body that is too large", "x".repeat(70_000), {}],
    ["no body", "", {}],
    ["another content type", "<xml/>", { type: "text/xml" }],
    ["no content type", "hello", { type: null }],
    ["an invalid content type", "hello", { type: ";;;" }],
    ["a form", "key=abc&transaction_code=PR1", { type: "application/x-www-form-urlencoded" }],
    ["an unknown merchant", "{}", { path: "/callbacks/NOBODY" }],
    ["no merchant", "{}", { path: "/callbacks/" }],
    ["a path that cannot be decoded", "{}", { path: "/callbacks/%zz" }],
    ["another method", "{}", { method: "PUT" }],
  ])("answers %s in the same way", async (_what, body, options) => {
    expect(await post(body, options)).toEqual(await post(genuine()));
  });

  test("does not reveal whether the ledger is available", async () => {
    const expected = await post(genuine());
    receive = () => Promise.reject(new Error("no database"));
    expect(await post(genuine())).toEqual(expected);
  });

  test("F74 keeps at most a thousand waiting, three of them at the ledger", async () => {
    let begun = 0;
    let letGo = () => {};
    const held = new Promise<void>((done) => (letGo = done));
    receive = () => {
      begun += 1;
      return held;
    };
    for (let count = 0; count < 3; count += 1) await inject(genuine(), "192.0.2.74");
    // Callbacks that do not decrypt take no slot.
    for (let count = 0; count < 1_100; count += 1) await inject('{"key":"AAAA"}', "192.0.2.75");
    for (let count = 0; count < 1_100; count += 1) await inject(genuine(), "192.0.2.74");
    await settled();
    expect(begun).toBe(3);
    letGo();
    await settled();
    expect(begun).toBe(1_000);
  });

  test("F112 ignores the clear-text code, which must match the encrypted one", async () => {
    const swapped = JSON.stringify({ ...JSON.parse(genuine()), transaction_code: "PR2" });
    await post(swapped);
    await settled();
    expect(hints).toEqual([]);
  });
});

describe("health", () => {
  test("answers healthz while the process runs, and reports missing parts in readyz", async () => {
    expect((await app.inject("/healthz")).json()).toEqual({ status: "ok" });
    expect((await app.inject("/readyz")).statusCode).toBe(200);
  });
});

test("closes the connection of a sender with a small, slow body", async () => {
  const strict = createApp({
    log: pino({ level: "silent" }),
    openCallback: () => null,
    health: async () => [],
    bodyWithinMs: 200,
  });
  const { port } = new URL(await strict.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), "127.0.0.1");
  const closed = new Promise<string>((resolve) => {
    socket.once("error", () => {});
    socket.once("close", () => resolve("closed"));
  });
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{`);
  const drip = setInterval(() => socket.write(" "), 50);
  expect(await Promise.race([closed, delay(10_000, "still open")])).toBe("closed");
  clearInterval(drip);
  await strict.close();
});
