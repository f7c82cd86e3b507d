/** Whose attempts count for whom, and the cost of a password check. */
import { argon2Sync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBrowserToken } from "#flows/people/known-browser.ts";
import { countTry } from "#ledger/people/throttles.ts";
import { setPassword } from "#ledger/people/users.ts";
import { TRY_LIMITS } from "#people/sign-in-throttle.ts";
import { type Answer, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { OTHER, PASSWORD, peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());
const { joined, signIn } = peopleOf(() => server, clock);

/** PASSWORD as an earlier payrun stored it, at a lower cost. */
const plain = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
const order = { message: PASSWORD, nonce: Buffer.alloc(16, 1), parallelism: 1, tagLength: 32 };
const cheap = argon2Sync("argon2id", { ...order, memory: 64, passes: 1 });
const OLD_HASH = `$argon2id$v=19$m=64,t=1,p=1$${plain(order.nonce)}$${plain(cheap)}`;

test("lets a known browser in while others guess", async () => {
  const { email } = await joined(["viewer"]);
  const cookieOf = ({ headers }: Answer) =>
    [headers["set-cookie"]]
      .flat()
      .map((each) => String(each).split(";")[0])
      .find((each) => each?.startsWith("payrun-known="));
  const headers = { cookie: cookieOf(await signIn(email)) ?? "" };
  const { database, sealer } = server.deps;
  const account = sealer.digest(`tries account ${email} 127.0.0.*/24`);
  for (let tries = 0; tries < 6; tries += 1)
    await countTry(database, account, TRY_LIMITS.account, new Date(clock.nowMs()));
  const here = (password: string) =>
    server.nobody.post("/api/session", { email, password }, { headers });
  expect((await signIn(email)).json.code).toBe("too_many_attempts");
  expect((await here(PASSWORD)).status).toBe(200);
  // Its own wrong attempts count.
  const codes = [];
  for (let tries = 0; tries < 6; tries += 1) codes.push((await here(OTHER)).json.code);
  expect(codes.at(-1)).toBe("too_many_attempts");
  // For another account it is an unknown browser.
  const cookie = headers.cookie.slice("payrun-known=".length);
  expect(readBrowserToken(cookie, email, sealer)).not.toBeNull();
  expect(readBrowserToken(cookie, `x${email}`, sealer)).toBeNull();
});

test("rehashes a password that was hashed at an older cost", async () => {
  const { email, user } = await joined(["viewer"]);
  const { database } = server.deps;
  const hashNow = async () =>
    (
      await database
        .selectFrom("users")
        .select("password")
        .where("id", "=", user.userId)
        .executeTakeFirstOrThrow()
    ).password;
  const today = await hashNow();
  await setPassword(database, user.userId, OLD_HASH);
  expect((await signIn(email)).status).toBe(200);
  const renewed = await hashNow();
  expect(renewed?.split("$").slice(0, 4)).toEqual(today?.split("$").slice(0, 4));
  expect((await signIn(email)).status).toBe(200);
  expect(await hashNow()).toBe(renewed);
});
