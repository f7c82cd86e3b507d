/** A user's preferences for the dashboard are stored with the user, for all of their browsers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const { joined } = peopleOf(() => server, clock);

test("stores the time zone of a user, until the user chooses that of the browser", async () => {
  const { user, admin } = await joined(["viewer"]);
  const zoneOf = async (caller: typeof user) =>
    (await caller.get("/api/session")).json.person.time_zone;
  const choose = (zone: string | null) =>
    user.send("PUT", "/api/profile/preferences", { body: { time_zone: zone } });
  expect(await zoneOf(user)).toBeNull();
  expect((await choose("Asia/Kolkata")).status).toBe(204);
  expect(await zoneOf(user)).toBe("Asia/Kolkata");
  expect(await zoneOf(admin)).toBeNull();
  await choose(null);
  expect(await zoneOf(user)).toBeNull();
});

test("keeps the preferences that are not given", async () => {
  const { user } = await joined(["viewer"]);
  const put = (body: object) => user.send("PUT", "/api/profile/preferences", { body });
  await put({ time_zone: "Asia/Kolkata" });
  expect((await user.get("/api/session")).json.person.mails_assignments).toBe(true);
  await put({ mails_assignments: false });
  expect((await user.get("/api/session")).json.person).toMatchObject({
    time_zone: "Asia/Kolkata",
    mails_assignments: false,
  });
});

test.each(["+05:30", "Asia/Nowhere", ""])("refuses %j, which is no time zone", async (zone) => {
  const { user } = await joined(["viewer"]);
  const { status, json } = await user.send("PUT", "/api/profile/preferences", {
    body: { time_zone: zone },
  });
  expect(status).toBe(400);
  expect(json.places[0].place).toBe("body.time_zone");
});
