/** Names and e-mail addresses of users that look alike. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
let admin: Caller;
beforeAll(async () => {
  server = await startTestServer({ clock });
  admin = await newAdmin();
});
afterAll(() => server.close());
const { newAdmin } = peopleOf(() => server, clock);
const invite = (name: string, email: string) =>
  admin.post("/api/users", { name, email, roles: ["viewer"] });

test("refuses a name that looks like the name of another user and names that user", async () => {
  expect((await invite("Anna Schmidt", "anna@example.test")).status).toBe(201);
  const refused = await invite("\u0410nna Schmidt", "other@example.test");
  expect(refused).toMatchObject({ status: 409, json: { code: "name_too_similar" } });
  expect(refused.json.detail).toContain("Anna Schmidt (anna@example.test)");
});

test("refuses an e-mail address that looks like another one", async () => {
  expect((await invite("Mia", "mia@example.test")).status).toBe(201);
  const refused = await invite("Somebody", "mia@exarnple.test");
  expect(refused).toMatchObject({ status: 409, json: { code: "email_too_similar" } });
  expect(refused.json.detail).toContain("Mia (mia@example.test)");
  expect((await invite("Mia Two", "MIA@example.test")).json.code).toBe("email_taken");
});

test("refuses invisible characters in a name, except joiners that the script needs", async () => {
  for (const hidden of ["\u200b", "\u2060", "\u00ad", "\u202e", "\u3164"]) {
    const { status, json } = await invite(`Bo${hidden}b`, "bob@example.test");
    expect([status, json.code]).toEqual([400, "invalid_request"]);
  }
  expect((await invite("\u0645\u06cc\u200c\u0631", "mir@example.test")).status).toBe(201);
});

test("accepts one of several look-alikes that are invited at the same time", async () => {
  const answers = await Promise.all([
    invite("Otto", "otto@example.test"),
    invite("\u041etto", "second@example.test"),
    invite("Ott\u043e", "third@example.test"),
  ]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 409, 409,
  ]);
});

test("refuses to propose an invitation with a name that looks like another one", async () => {
  await invite("Rita", "rita@example.test");
  const change = {
    kind: "invite",
    name: "R\u0456ta",
    email: "r@example.test",
    roles: ["approver"],
  };
  expect((await admin.post("/api/pending-changes", change)).json.code).toBe("name_too_similar");
});
