/**
 * Changes that one admin cannot make alone. Approvers release money, so no single person appoints
 * them.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setPassword } from "#ledger/people/users.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { MINUTE_MS, peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
const DAY_MS = 24 * 60 * MINUTE_MS;
let server: TestServer;
let ada: Caller;
let ben: Caller;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());
const { newAdmin, auditOf, steppedUp } = peopleOf(() => server, clock);
// Each test has two admins of its own, and no third person who could confirm.
beforeEach(async () => {
  await sql`update users set disabled_at = to_timestamp(0) where 'admin' = any (roles)`.execute(
    server.deps.database,
  );
  [ada, ben] = [await enabledAdmin(), await enabledAdmin()];
});

async function enabledAdmin(): Promise<Caller> {
  const admin = await newAdmin();
  await setPassword(server.deps.database, admin.userId, "$argon2id$");
  return admin;
}
const RULES = { base: 2, rules: [], hours: 12 };
const propose = (by: Caller, change: object) => by.post("/api/pending-changes", change);
const confirm = (by: Caller, id: string) => by.post(`/api/pending-changes/${id}/confirm`);
const withdraw = (by: Caller, id: string) => by.post(`/api/pending-changes/${id}/withdraw`);
const waiting = async (): Promise<string[]> =>
  (await ada.get("/api/pending-changes")).json.items.map(({ id }: { id: string }) => id);
const hours = async () => (await ada.get("/api/approval-rules")).json.hours;
const proposedRules = async (change: object = {}): Promise<string> =>
  (await propose(ada, { kind: "approval_rules", ...RULES, ...change })).json.id;
const setRoles = (by: Caller, { userId }: Caller, roles: string[]) =>
  by.send("PUT", `/api/users/${userId}/roles`, { body: { roles } });

describe("with another admin, one admin alone cannot", () => {
  test.each<[string, (someone: Caller) => Promise<{ json: { code: string } }>]>([
    ["change the rules", () => ada.send("PUT", "/api/approval-rules", { body: RULES })],
    ["make an approver", (someone) => setRoles(ada, someone, ["viewer", "approver"])],
    ["make an admin", (someone) => setRoles(ada, someone, ["admin"])],
    ["remove the other admin's role", () => setRoles(ada, ben, ["viewer"])],
    [
      "invite an approver",
      () => ada.post("/api/users", { email: "x@example.test", name: "X", roles: ["approver"] }),
    ],
    [
      "remove a second factor",
      async (someone) => {
        const set = { totp: Buffer.from("sealed") };
        const { database } = server.deps;
        await database.updateTable("users").set(set).where("id", "=", someone.userId).execute();
        return ada.post(`/api/users/${someone.userId}/link`, { drop_totp: true });
      },
    ],
    [
      "create a link that makes its bearer an approver",
      async () => ada.post(`/api/users/${(await server.newUser(["approver"])).userId}/link`, {}),
    ],
    [
      "enable an approver again",
      async () => {
        const { userId } = await server.newUser(["approver"]);
        await ada.post(`/api/users/${userId}/disable`);
        return ada.post(`/api/users/${userId}/enable`);
      },
    ],
  ])("%s", async (_what, act) => {
    const someone = await server.newUser(["viewer"]);
    expect((await act(someone)).json.code).toBe("second_admin_needed");
  });

  test("bypass the rule by disabling the other admin: a day passes, and then 24 hours more", async () => {
    expect((await ada.post(`/api/users/${ben.userId}/disable`)).status).toBe(204);
    const change = async () => (await ada.send("PUT", "/api/approval-rules", { body: RULES })).json;
    expect((await change()).code).toBe("second_admin_needed");
    clock.put(DAY_MS + 1);
    await steppedUp(ada);
    expect((await change()).code).toBe("sole_admin_must_propose");
  });

  test("but can make changes that give nobody the right to approve", async () => {
    const someone = await server.newUser(["viewer", "approver"]);
    expect((await setRoles(ada, someone, ["approver"])).status).toBe(204);
    expect((await setRoles(ada, someone, ["uploader"])).status).toBe(204);
    expect((await ada.post(`/api/users/${someone.userId}/link`, {})).status).toBe(200);
    const refused = await propose(ada, { kind: "enable", user_id: someone.userId });
    expect(refused.json.code).toBe("second_admin_not_needed");
    // No key can have what only people may do.
    expect(KEY_SCOPES.filter((scope) => /approve|administer/.test(scope))).toEqual([]);
  });
});

describe("a proposed change", () => {
  test("takes effect once, when another admin confirms it", async () => {
    const id = await proposedRules({ hours: 7 });
    expect(await hours()).not.toBe(7);
    const { json } = await ben.get("/api/pending-changes");
    expect(json).toMatchObject({ other_admins: 1, items: [{ id, own: false }] });
    expect(json.items[0].says).toEqual([
      "Every batch requires 2 people",
      "Approvals are valid for 7 hours",
    ]);
    expect((await confirm(ben, id)).json).toEqual({ link: null });
    expect(await hours()).toBe(7);
    expect((await confirm(ben, id)).json.code).toBe("wrong_state");
    expect(await auditOf(id)).toEqual([
      `user:${ada.userId} propose_change`,
      `user:${ben.userId} confirm_change`,
    ]);
    expect(await auditOf("approval_rules")).toContain(`user:${ada.userId} approval_rules`);
  });

  test("is on Home and in the frame of each other admin until it is decided", async () => {
    const invitation = {
      kind: "invite",
      name: "Ida",
      email: "ida@example.test",
      roles: ["approver"],
    };
    const { id } = (await propose(ada, invitation)).json;
    const seenBy = async (caller: Caller) => {
      const [tasks, frame] = [await caller.get("/api/home/tasks"), await caller.get("/api/frame")];
      const changes = tasks.json.pending_changes as { id: string }[];
      return { count: frame.json.confirm, mine: changes.filter((change) => change.id === id) };
    };
    const { count, mine } = await seenBy(ben);
    expect(count).toBeGreaterThan(0);
    expect(mine).toMatchObject([
      { id, says: "Invite Ida (ida@example.test) as approver", creates_link: true },
    ]);
    expect((await seenBy(ada)).mine).toEqual([]);
    expect(await seenBy(await server.newUser(["approver"]))).toEqual({ count: 0, mine: [] });
    await withdraw(ben, id);
    expect(await seenBy(ben)).toEqual({ count: count - 1, mine: [] });
  });

  test("is not confirmed by its proposer, neither in the API nor in the ledger", async () => {
    const id = await proposedRules({ hours: 8 });
    const own = await confirm(ada, id);
    expect([own.status, own.json.code]).toEqual([403, "own_change"]);
    const past = sql`update pending_changes set outcome = 'confirmed', decided_by = proposed_by,
      decided_at = at where id = ${id}`;
    await expect(past.execute(server.deps.database)).rejects.toThrow("another admin");
    const edited = sql`update pending_changes set change = '{}' where id = ${id}`;
    await expect(edited.execute(server.deps.database)).rejects.toThrow("not edited");
    expect(await waiting()).toContain(id);
  });

  test("cannot be confirmed after three days", async () => {
    const id = await proposedRules({ hours: 9 });
    clock.put(3 * DAY_MS);
    await Promise.all([steppedUp(ada), steppedUp(ben)]);
    expect(await waiting()).not.toContain(id);
    const late = await confirm(ben, id);
    expect([late.status, late.json.code]).toEqual([410, "change_expired"]);
    expect(await hours()).not.toBe(9);
  });

  test("is void when what it would replace has changed meanwhile", async () => {
    const [first, second] = [
      await proposedRules({ hours: 10 }),
      await proposedRules({ hours: 11 }),
    ];
    expect((await confirm(ben, first)).status).toBe(200);
    expect((await confirm(ben, second)).json.code).toBe("content_changed");
    expect(await hours()).toBe(10);
  });

  test("is void when its proposer loses the rights", async () => {
    const id = await proposedRules({ hours: 13 });
    const third = await enabledAdmin();
    await ben.post(`/api/users/${ada.userId}/disable`);
    expect((await confirm(third, id)).json.code).toBe("wrong_state");
  });

  test.each(["ada", "ben"])("is void once %s withdraws it", async (who) => {
    const id = await proposedRules({ hours: 14 });
    expect((await withdraw(who === "ada" ? ada : ben, id)).status).toBe(204);
    expect((await confirm(ben, id)).json.code).toBe("wrong_state");
    expect((await withdraw(ben, id)).json.code).toBe("wrong_state");
    expect(await waiting()).not.toContain(id);
    expect((await auditOf(id)).at(-1)).toMatch(/withdraw_change$/);
  });

  test("about people gives the link to the confirming admin, and no roles before that", async () => {
    const someone = await server.newUser(["viewer"]);
    const roles = { kind: "roles", user_id: someone.userId, roles: ["approver"] };
    const { json } = await propose(ada, roles);
    expect((await someone.get("/api/session")).json.person.roles).toEqual(["viewer"]);
    expect((await confirm(ben, json.id)).status).toBe(200);
    expect((await someone.get("/api/profile/sessions")).json.code).toBe("session_expired");

    const invitation = { kind: "invite", email: "new@example.test", name: "New", roles: ["admin"] };
    const invited = await propose(ada, invitation);
    const { link } = (await confirm(ben, invited.json.id)).json;
    expect(link.path).toMatch(/^\/invite#/);
    // The address is taken by now: the whole change is void, and the address stays the same.
    const twin = await propose(ada, invitation);
    expect((await confirm(ben, twin.json.id)).json.code).toBe("email_taken");
    expect(await waiting()).toContain(twin.json.id);
  });

  test("cannot extend one's own roles", async () => {
    const own = { kind: "roles", user_id: ada.userId, roles: ["admin", "approver"] };
    expect((await propose(ada, own)).json.code).toBe("own_roles");
    const nobody = { kind: "enable", user_id: "US-nobody" };
    expect((await propose(ada, nobody)).json.code).toBe("not_found");
    expect((await confirm(ben, "PC-none")).json.code).toBe("not_found");
  });
});
