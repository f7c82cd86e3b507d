/**
 * An anonymous sender cannot hold connections: not by an endless body, by headers, or by their
 * number.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "#http/app/app.ts";
import { createLog } from "#base/log.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
  port = Number(new URL(await server.listen()).port);
});
afterAll(() => server.close());

interface Held {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  text(): string;
}

async function hold(request: string, to = port): Promise<Held> {
  const socket = connect(to, "127.0.0.1");
  let text = "";
  socket.on("data", (piece) => (text += piece.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  socket.write(request);
  return { socket, closed, text: () => text };
}

/** Number of connections that close within this time. */
async function closedWithin(ms: number, held: readonly Held[]): Promise<number> {
  let count = 0;
  for (const { closed } of held) void closed.then(() => (count += 1));
  const late = new Promise((resolve) => setTimeout(resolve, ms));
  await Promise.race([late, Promise.all(held.map(({ closed }) => closed))]);
  for (const { socket } of held) socket.destroy();
  return count;
}

const upload = (headers = "") =>
  `POST /api/batches?file_name=a.csv HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000000\r\n${headers}\r\nx`;

test("answers and closes 400 anonymous one-byte uploads within seconds", async () => {
  const held = await Promise.all(Array.from({ length: 400 }, () => hold(upload())));
  expect(await closedWithin(10_000, held)).toBe(400);
  for (const { text } of held) {
    expect(text()).toMatch(/^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i);
  }
}, 30_000);

test("lets a refused sender that keeps sending still read the reason", async () => {
  const held = await hold(upload());
  const more = setInterval(() => held.socket.write("x".repeat(1_000)), 20);
  expect(await closedWithin(10_000, [held])).toBe(1);
  clearInterval(more);
  expect(held.text()).toContain("not_signed_in");
});

test("lets an authorised upload take its time", async () => {
  const { headers } = server.as("uploader");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const held = await hold(upload(lines.join("")));
  expect([await closedWithin(4_000, [held]), held.text()]).toEqual([0, ""]);
});

test("closes a connection that sends incomplete headers", async () => {
  const silent = [await hold(""), await hold("GET /healthz HTTP/1.1\r\nhost: a\r\n")];
  expect(await closedWithin(15_000, silent)).toBe(2);
}, 30_000);

test("limits the connections of one address, and frees those that close", async () => {
  const app = createApp({
    log: createLog("fatal"),
    openCallback: () => null,
    health: async () => [],
    connectionsMax: 3,
  });
  const to = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  try {
    const held = await Promise.all([1, 2, 3].map(() => hold("", to)));
    const surplus = await hold("", to);
    expect(await closedWithin(2_000, [surplus])).toBe(1);
    for (const { socket } of held) socket.destroy();
    await Promise.all(held.map(({ closed }) => closed));
    expect((await fetch(`http://127.0.0.1:${to}/healthz`)).status).toBe(200);
  } finally {
    await app.close();
  }
});
