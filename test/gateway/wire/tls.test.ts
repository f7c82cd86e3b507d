/**
 * A gateway behind TLS: a failure before the end of the handshake means not sent, but only when it
 * is proven.
 */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { generate, type SelfsignedOptions } from "selfsigned";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { httpTransport } from "#gateway/wire/transport.ts";

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

interface Pair {
  readonly key: string;
  readonly cert: string;
}
let authority: Pair;

async function certificate(name: string, options: SelfsignedOptions): Promise<Pair> {
  const attributes = [{ name: "commonName", value: name }];
  const how = { keyType: "ec", algorithm: "sha256", ...options } as const;
  const { private: key, cert } = await generate(attributes, how);
  return { key, cert };
}
const signed = (name: string, options: SelfsignedOptions = {}) =>
  certificate(name, { ca: authority, notAfterDate: daysFromNow(2), ...options });

beforeAll(async () => {
  authority = await certificate("authority", {
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority.cert]);
});

/** Number of request bytes that the gateway has read. */
let read = 0;
const answering: http.RequestListener = (request, response) => {
  request.on("data", (piece: Buffer) => (read += piece.length));
  request.on("end", () => response.end("{}"));
};
const over = (pair: Pair, options: tls.TlsOptions = {}): Server =>
  https.createServer({ ...pair, ...options }, answering);

/** Sends one request as a payout does. Returns its result and what the gateway has read. */
async function sendTo(server: Server) {
  read = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = httpTransport({
    timeoutMs: 1_000,
    maxSockets: 1,
    userAgent: "payrun",
    clock: systemClock,
  });
  const { port } = server.address() as AddressInfo;
  const connection = transport.connect();
  const sent = await connection.post(`https://localhost:${port}/`, "application/json", "{}");
  transport.close();
  server.close();
  return { ...("status" in sent ? { status: sent.status } : sent), read };
}

test("trusts a certificate from a known authority", async () => {
  expect(await sendTo(over(await signed("localhost")))).toEqual({ status: 200, read: 2 });
});

const LONG_AGO = { notBeforeDate: daysFromNow(-3), notAfterDate: daysFromNow(-1) };
// biome-ignore format: the table is easier to read in columns
test.each<[string, string, () => Promise<Pair>]>([
  ["that has expired",           "CERT_HAS_EXPIRED",                () => signed("localhost", LONG_AGO)],
  ["that is not valid yet",      "CERT_NOT_YET_VALID",              () => signed("localhost", { notBeforeDate: daysFromNow(1) })],
  ["of another host",            "ERR_TLS_CERT_ALTNAME_INVALID",    () => signed("gateway.example")],
  ["that is self-signed",        "DEPTH_ZERO_SELF_SIGNED_CERT",     () => certificate("localhost", {})],
])("F34 treats a certificate %s as proof that the request was not sent", async (_what, code, pair) => {
  expect(await sendTo(over(await pair()))).toEqual({ code, proof: "not_sent", read: 0 });
});

/** Reads the first bytes, then does this with the connection. */
const onFirstBytes = (act: (socket: Socket) => void): Server =>
  createServer((socket) => socket.once("data", () => act(socket)).on("error", () => {}));

// biome-ignore format: the table is easier to read in columns
test.each<[string, () => Promise<Server>]>([
  ["speaks no TLS",                 async () => http.createServer(answering)],
  ["speaks TLS 1.0",                async () => over(await signed("localhost"), { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" })],
  ["requires a client certificate", async () => over(await signed("localhost"), { requestCert: true })],
  ["resets during the handshake",   async () => onFirstBytes((socket) => socket.resetAndDestroy())],
  ["hangs up during the handshake", async () => onFirstBytes((socket) => socket.end())],
])("treats a gateway that %s as doubt, and queries the payout", async (_what, server) => {
  expect(await sendTo(await server())).toMatchObject({ proof: "none", read: 0 });
});

test("F36 takes a deadline during the handshake as proof that the request was not sent", async () => {
  const silent = onFirstBytes(() => {});
  const closed = new Promise((resolve) =>
    silent.once("connection", (socket: Socket) => socket.once("close", resolve)),
  );
  expect(await sendTo(silent)).toEqual({ code: "ETIMEDOUT", proof: "not_sent", read: 0 });
  // A connection that is never completed would otherwise remain open for each attempt.
  await closed;
});

test("F36 treats a deadline after the handshake as doubt", async () => {
  const silent = tls.createServer(await signed("localhost"), (socket) =>
    socket.on("error", () => {}).once("data", (piece) => (read = piece.length)),
  );
  const sent = await sendTo(silent);
  expect(sent).toMatchObject({ code: "ETIMEDOUT", proof: "none" });
  expect(sent.read).toBeGreaterThan(0);
});

test("F35 treats a connection that breaks after the request arrived as doubt", async () => {
  const pair = await signed("localhost");
  const cutting = tls.createServer(pair, (socket) =>
    socket.once("data", (piece) => {
      read = piece.length;
      socket.destroy();
    }),
  );
  const sent = await sendTo(cutting);
  expect(sent).toMatchObject({ code: "ECONNRESET", proof: "none" });
  expect(sent.read).toBeGreaterThan(0);
});
