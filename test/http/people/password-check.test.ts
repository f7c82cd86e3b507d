/** A new password can be checked before it is set, by the rules with which it is set. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { OTHER, peopleOf, stillClock, tokenOf } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const { joined } = peopleOf(() => server, clock);

test("returns why a new password of a signed-in user would be refused", async () => {
  const { user } = await joined(["viewer"]);
  const check = async (password: string) =>
    (await user.post("/api/profile/password-check", { password })).json.problem;
  expect(await check("short")).toBe("too_short");
  expect(await check("passwordpassword1")).toBe("too_common");
  expect(await check(OTHER)).toBeNull();
});

test("needs a valid one-time link, and does not use it up", async () => {
  const { user, admin } = await joined(["viewer"]);
  const reset = await admin.post(`/api/users/${user.userId}/link`, { drop_totp: false });
  const token = tokenOf(reset.json);
  const check = (body: object) => server.nobody.post("/api/links/password-check", body);
  for (const _ of ["once", "again"]) {
    expect((await check({ token, password: OTHER })).json).toEqual({ problem: null });
  }
  expect((await check({ token: "x", password: OTHER })).json.code).toBe("link_invalid");
});

test("limits the checks per sender", async () => {
  const { user } = await joined(["viewer"]);
  const check = () => user.post("/api/profile/password-check", { password: "short" });
  let refused;
  for (let tries = 0; tries < 30 && refused?.status !== 429; tries += 1) refused = await check();
  expect(refused?.json.code).toBe("too_many_requests");
});
