/** Floods of wrong attempts, and what they cost users with the right password. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { tryCountersOf } from "#flows/people/sign-in-attempts.ts";
import { networksOf } from "#people/sign-in-throttle.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { OTHER, PASSWORD, peopleOf, stillClock, tokenOf } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  const plain = await startTestServer({ clock }, ["admin"]);
  const config = { ...plain.deps.config, TRUSTED_PROXIES: "127.0.0.0/8" };
  await plain.close();
  server = await startTestServer({ clock, config });
});
afterAll(() => server.close());
const { joined } = peopleOf(() => server, clock);

const signInFrom = (address: string, email: string, password: string) =>
  server.nobody.post(
    "/api/session",
    { email, password },
    { headers: { "x-forwarded-for": address } },
  );

/** A wrong attempt that is counted without being checked: like one over HTTP, without the hash. */
const wrongTry = (address: string, email: string): Promise<number> =>
  tryCountersOf(
    email,
    { networks: networksOf(address), browser: null },
    server.deps,
  ).password.count();

test("delays a correct attempt from another network by one turn during 60 concurrent attempts", async () => {
  const { email } = await joined(["viewer"]);
  const ended: string[] = [];
  const flood = Array.from({ length: 60 }, async (_, at) => {
    const address = `2001:db8:${at}:${at}::1`;
    const { status } = await signInFrom(address, `guess-${at}@example.test`, OTHER);
    if (status === 401) ended.push("hashed");
    return status;
  });
  const right = signInFrom("198.51.100.7", email, PASSWORD).then(({ status }) => {
    ended.push("right");
    return status;
  });
  expect(await right).toBe(200);
  expect(ended.length).toBeLessThan(8);
  const statuses = await Promise.all(flood);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
});

test("enforces limits although the /64 and the /48 change", async () => {
  const waits = async (address: (at: number) => string, tries: number) => {
    const found = new Set<boolean>();
    for (let at = 0; at < tries; at += 1) {
      found.add((await wrongTry(address(at), `guess-${at}@example.test`)) > 0);
    }
    return [...found];
  };
  expect(await waits((at) => `2a01:1:1:${at.toString(16)}::1`, 101)).toEqual([false]);
  expect(await waits((at) => `2a01:1:1:f${at}::1`, 1)).toEqual([true]);
  // Another site of the provider has its own count, until the provider's count is used up.
  expect(await waits((at) => `2a01:1:${at + 2}::1`, 20)).toEqual([false]);
  const key = server.deps.sealer.digest("tries provider 2a01:1::/32");
  const { database } = server.deps;
  await database.updateTable("throttles").set({ failures: 399 }).where("key", "=", key).execute();
  expect(await waits((at) => `2a01:1:${at + 1_000}::1`, 3)).toEqual([false, true]);
  expect(await waits((at) => `2a02:1:${at}::1`, 1)).toEqual([false]);
  expect(await waits((at) => `203.0.113.${at}`, 102)).toEqual([false, true]);
});

test("lets the owner of a constantly attacked account in on a new browser", async () => {
  const { email } = await joined(["viewer"]);
  for (let minutes = 0; minutes < 30; minutes += 1) {
    for (let tries = 0; tries < 3; tries += 1) await wrongTry("203.0.200.9", email);
    clock.put(60_000);
  }
  for (let tries = 0; tries < 6; tries += 1) await wrongTry("203.0.200.9", email);
  expect((await signInFrom("203.0.200.9", email, PASSWORD)).status).toBe(429);
  expect((await signInFrom("198.51.100.8", email, PASSWORD)).status).toBe(200);
});

test("makes the owner of an account attacked from everywhere wait two seconds, or use a link", async () => {
  const { email, user, admin } = await joined(["viewer"]);
  for (let site = 0; site < 60; site += 1) await wrongTry(`192.${site}.2.1`, email);
  const { status, headers } = await signInFrom("198.51.100.9", email, PASSWORD);
  expect([status, Number(headers["retry-after"]) <= 2]).toEqual([429, true]);
  const token = tokenOf((await admin.post(`/api/users/${user.userId}/link`, {})).json);
  const used = await server.nobody.post("/api/links/use", { token, password: OTHER });
  expect(used.status).toBe(200);
  clock.put(2_000);
  expect((await signInFrom("198.51.100.9", email, OTHER)).status).toBe(200);
});

test("allows few attempts at second-factor codes, which are short, to someone who knows the password", async () => {
  const tries = tryCountersOf(
    "code@example.test",
    { networks: networksOf("198.51.100.1"), browser: null },
    server.deps,
  );
  const waits = [];
  for (let at = 0; at < 6; at += 1) waits.push(await tries.code.count());
  expect(waits).toEqual([0, 0, 0, 0, 0, 1_000]);
  let looked = 0;
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    clock.put(60_000);
    const now = tryCountersOf(
      "code@example.test",
      { networks: networksOf(`2001:db8:${minute}::1`), browser: null },
      server.deps,
    );
    if ((await now.code.count()) === 0) looked += 1;
  }
  expect(looked).toBeLessThan(25);
});
