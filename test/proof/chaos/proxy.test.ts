import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Proxy, startProxy } from "../../../proof/chaos/proxy.ts";

/** Echoes everything, and records what it received and which clients disconnected. */
let echo: Server;
let heard = "";
let hungUp = 0;
let proxy: Proxy;
beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      heard += piece.toString();
      socket.write(piece);
    });
    socket.once("close", () => {
      hungUp += 1;
    });
  });
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  proxy = await startProxy({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
});
afterEach(() => {
  proxy.heal();
  heard = "";
});
afterAll(async () => {
  await proxy.close();
  echo.close();
});

async function client(): Promise<{ socket: Socket; got: () => string; closed: Promise<unknown> }> {
  const socket = connect(proxy.port, "127.0.0.1");
  socket.on("error", () => {});
  let said = "";
  socket.on("data", (piece) => {
    said += piece.toString();
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  return { socket, got: () => said, closed };
}

test("forwards everything in both directions", async () => {
  const { socket, got } = await client();
  socket.write("a payout");
  await expect.poll(got).toBe("a payout");
  socket.destroy();
});

test("cuts existing and new connections until it is healed", async () => {
  const before = await client();
  proxy.harm({ delayMs: 0, bytes: 0 });
  await before.closed;
  const during = await client();
  await during.closed;
  proxy.heal();
  const after = await client();
  after.socket.write("back");
  await expect.poll(after.got).toBe("back");
  after.socket.destroy();
});

test("forwards small pieces in order, slowly", async () => {
  const { socket, got } = await client();
  proxy.harm({ delayMs: 1, bytes: 3 });
  socket.write("one byte after the other");
  await expect.poll(got).toBe("one byte after the other");
  socket.destroy();
});

test("does not deliver what a client had not delivered when it disconnected", async () => {
  const { socket } = await client();
  proxy.harm({ delayMs: 300, bytes: 1_000 });
  const before = hungUp;
  socket.write("never seen");
  // Long enough for the proxy to receive it, and too short to forward it.
  await new Promise((wake) => setTimeout(wake, 50));
  socket.destroy();
  await expect.poll(() => hungUp).toBe(before + 1);
  await new Promise((wake) => setTimeout(wake, 400));
  expect(heard).toBe("");
});
