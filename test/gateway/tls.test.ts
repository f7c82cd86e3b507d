/** A gateway behind TLS: what fails before the handshake is over was not sent, and only what proves that says so. */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { generate, type SelfsignedOptions } from "selfsigned";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "#clock.ts";
import { httpTransport } from "#gateway/transport.ts";

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

/** What the gateway has read of requests, in bytes. */
let read = 0;
const answering: http.RequestListener = (request, response) => {
  request.on("data", (piece: Buffer) => (read += piece.length));
  request.on("end", () => response.end("{}"));
};
const over = (pair: Pair, options: tls.TlsOptions = {}): Server =>
  https.createServer({ ...pair, ...options }, answering);

/** One request to it, as a payout goes: what has come of it, and what the gateway has read. */
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

test("an authority that is known vouches for it", async () => {
  expect(await sendTo(over(await signed("localhost")))).toEqual({ status: 200, read: 2 });
});

const LONG_AGO = { notBeforeDate: daysFromNow(-3), notAfterDate: daysFromNow(-1) };
// biome-ignore format: the columns are the point
test.each<[string, string, () => Promise<Pair>]>([
  ["that has expired",           "CERT_HAS_EXPIRED",                () => signed("localhost", LONG_AGO)],
  ["that begins tomorrow",       "CERT_NOT_YET_VALID",              () => signed("localhost", { notBeforeDate: daysFromNow(1) })],
  ["of another host",            "ERR_TLS_CERT_ALTNAME_INVALID",    () => signed("gateway.example")],
  ["that vouches for itself",    "DEPTH_ZERO_SELF_SIGNED_CERT",     () => certificate("localhost", {})],
])("F34 a certificate %s: proven not sent", async (_what, code, pair) => {
  expect(await sendTo(over(await pair()))).toEqual({ code, proof: "not_sent", read: 0 });
});

/** Takes the first bytes, and does this with the connection. */
const onFirstBytes = (act: (socket: Socket) => void): Server =>
  createServer((socket) => socket.once("data", () => act(socket)).on("error", () => {}));

// biome-ignore format: the columns are the point
test.each<[string, () => Promise<Server>]>([
  ["speaks no TLS",                 async () => http.createServer(answering)],
  ["speaks TLS 1.0",                async () => over(await signed("localhost"), { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" })],
  ["wants a certificate of us",     async () => over(await signed("localhost"), { requestCert: true })],
  ["resets during the handshake",   async () => onFirstBytes((socket) => socket.resetAndDestroy())],
  ["hangs up during the handshake", async () => onFirstBytes((socket) => socket.end())],
  ["says nothing",                  async () => onFirstBytes(() => {})],
])("a gateway that %s: nothing is proven, and the payout is asked about", async (_what, server) => {
  expect(await sendTo(await server())).toMatchObject({ proof: "none", read: 0 });
});

test("F35 a connection that is cut once the request is there proves nothing", async () => {
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
