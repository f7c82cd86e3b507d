import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchSimulator } from "#app/simulator-watch.ts";
import { startSimulator } from "../support/servers/simulator.ts";

const PAUSE_MS = 50;

test("recognises the simulator by its answer, and only as long as it answers", async () => {
  const simulator = await startSimulator({});
  const watch = await watchSimulator(simulator.url, PAUSE_MS);
  expect(watch.isSimulator()).toBe(true);
  await simulator.stop();
  await expect.poll(() => watch.isSimulator()).toBe(false);
  watch.close();
});

test("recognises a simulator that starts after the server", async () => {
  const first = await startSimulator({});
  await first.stop();
  const watch = await watchSimulator(first.url, PAUSE_MS);
  expect(watch.isSimulator()).toBe(false);
  const second = await startSimulator({ port: Number(new URL(first.url).port) });
  await expect.poll(() => watch.isSimulator()).toBe(true);
  await second.stop();
  watch.close();
});

test("asks another gateway on this machine once, such as a tunnel", async () => {
  let asked = 0;
  const tunnel = createServer((_request, answer) => {
    asked += 1;
    answer.end('{"message":"OK"}');
  });
  await new Promise<void>((resolve) => tunnel.listen(0, "127.0.0.1", resolve));
  const { port } = tunnel.address() as AddressInfo;
  const watch = await watchSimulator(`http://127.0.0.1:${port}`, PAUSE_MS);
  await sleep(4 * PAUSE_MS);
  expect(watch.isSimulator()).toBe(false);
  expect(asked).toBe(1);
  watch.close();
  tunnel.close();
});

test.each([undefined, "https://gateway.example", "http://gateway.example"])(
  "never asks a gateway that is not on this machine: %s",
  async (url) => {
    const watch = await watchSimulator(url, PAUSE_MS);
    expect(watch.isSimulator()).toBe(false);
    watch.close();
  },
);
