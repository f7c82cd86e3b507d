import { expect, test } from "vitest";
import { UnknownBrowserQueue } from "#flows/people/unknown-browser-queue.ts";
import { networksOf } from "#people/sign-in-throttle.ts";

/** A queue, and the order in which it served or refused its requests. */
function queueOf(atOnce: number, waitingMax: number) {
  const queue = new UnknownBrowserQueue(atOnce, waitingMax);
  const served: string[] = [];
  const refused: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (address: string, name: string) => {
    const leave = await queue.enter(networksOf(address));
    (leave ? served : refused).push(name);
    if (leave) leaves.push(leave);
  };
  const come = (address: string, name = address) => void enter(address, name);
  const leave = async () => {
    leaves.shift()?.();
    await new Promise(setImmediate);
  };
  const settled = () => new Promise(setImmediate);
  return { come, leave, settled, served, refused };
}

test("serves a request from another network before the rest of a flood", async () => {
  const { come, leave, settled, served } = queueOf(1, 16);
  for (let host = 0; host < 10; host += 1) come(`2001:db8:${host}::1`);
  come("198.51.100.7", "owner");
  await settled();
  await leave();
  expect(served).toEqual(["2001:db8:0::1", "owner"]);
});

test("serves a flood in turn when there are no other requests", async () => {
  const { come, leave, settled, served } = queueOf(2, 16);
  for (const host of [1, 2, 3, 4]) come(`203.0.113.${host}`);
  await settled();
  await leave();
  await leave();
  expect(served).toEqual([1, 2, 3, 4].map((host) => `203.0.113.${host}`));
});

test("refuses the largest flood when full, and never requests from elsewhere", async () => {
  const { come, leave, settled, served, refused } = queueOf(1, 4);
  for (let host = 0; host < 60; host += 1) come(`203.0.113.${host}`, "flood");
  come("198.51.100.7", "owner");
  for (let host = 0; host < 60; host += 1) come(`203.0.113.${host}`, "flood");
  await settled();
  expect([refused.length, new Set(refused)]).toEqual([116, new Set(["flood"])]);
  await leave();
  expect(served[1]).toBe("owner");
});

test("resets its counts when empty", async () => {
  const { come, leave, settled, served } = queueOf(1, 4);
  for (let tries = 0; tries < 4; tries += 1) come("203.0.113.1");
  await settled();
  for (let tries = 0; tries < 4; tries += 1) await leave();
  come("198.51.100.1", "running");
  come("203.0.113.1", "earlier");
  come("198.51.100.2", "later");
  await settled();
  await leave();
  expect(served.slice(-2)).toEqual(["running", "earlier"]);
});
