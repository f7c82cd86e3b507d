/**
 * A change that needs a second admin takes effect 24 hours after the only admin proposes it, unless
 * another user refuses it.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyDueChanges } from "#flows/people/lone-admin.ts";
import { withdrawChange } from "#flows/people/second-admin.ts";
import { insertChange } from "#ledger/people/pending-changes.ts";
import { setPassword, setRoles } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import {
  type Answer,
  type Caller,
  startTestServer,
  type TestServer,
} from "../../support/dashboard/server.ts";
import { MINUTE_MS, peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
const DAY_MS = 24 * 60 * MINUTE_MS;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
  // The setup has ended.
  await joined("admin");
  await joined("admin");
});
afterAll(() => server.close());
const { steppedUp, auditOf } = peopleOf(() => server, clock);

async function joined(...roles: Role[]): Promise<Caller> {
  const person = await steppedUp(await server.newUser(roles));
  await setPassword(server.deps.database, person.userId, "$argon2id$");
  return person;
}
let ada: Caller;
beforeEach(async () => {
  const { database } = server.deps;
  await sql`update users set disabled_at = to_timestamp(0) where 'admin' = any (roles)`.execute(
    database,
  );
  ada = await joined("admin");
});

let hours = 30;
/** Ada proposes different rules. Returns the change, and how many hours approvals are valid. */
async function proposed() {
  hours += 1;
  const rules = { kind: "approval_rules", base: 2, rules: [], hours };
  const { status, json } = await ada.post("/api/pending-changes", rules);
  expect(status).toBe(201);
  return { id: String(json.id), hours };
}
const hoursNow = async () => (await ada.get("/api/approval-rules")).json.hours;
const tick = () => applyDueChanges(server.deps);
const pass = async (ms: number, ...people: Caller[]) => {
  clock.put(ms);
  await Promise.all([ada, ...people].map(steppedUp));
};
const refusal = ({ status, json }: Answer) => [status, json?.code];
const listed = async (by: Caller, id: string) =>
  (await by.get("/api/pending-changes")).json.items.find((each: { id: string }) => each.id === id);
const outcomeOf = async (id: string) => {
  const { rows } = await sql<{ outcome: string | null }>`
    select outcome from pending_changes where id = ${id}`.execute(server.deps.database);
  return rows[0]?.outcome;
};
const confirm = (by: Caller, id: string) => by.post(`/api/pending-changes/${id}/confirm`);
const withdraw = (by: Caller, id: string) => by.post(`/api/pending-changes/${id}/withdraw`);

describe("the only admin", () => {
  test("cannot change anything immediately, and a proposal takes effect once after 24 hours", async () => {
    const before = await hoursNow();
    const body = { base: 2, rules: [], hours: 99 };
    const direct = await ada.send("PUT", "/api/approval-rules", { body });
    expect(refusal(direct)).toEqual([409, "sole_admin_must_propose"]);
    const change = await proposed();
    const takesEffect = new Date(clock.nowMs() + DAY_MS).toISOString();
    expect(await listed(ada, change.id)).toMatchObject({
      takes_effect_at: takesEffect,
      own: true,
      may_confirm: false,
    });
    await pass(DAY_MS - 1);
    await tick();
    expect(refusal(await confirm(ada, change.id))).toEqual([409, "change_not_due"]);
    expect(await hoursNow()).toBe(before);
    await pass(1);
    // Two concurrent servers, and later ones.
    await Promise.all([tick(), tick(), tick()]);
    await tick();
    expect(await hoursNow()).toBe(change.hours);
    expect(await auditOf(change.id)).toEqual([
      `user:${ada.userId} propose_change`,
      `user:${ada.userId} apply_change`,
    ]);
    expect(refusal(await withdraw(ada, change.id))).toEqual([409, "wrong_state"]);
  });

  test("can withdraw a proposal until then", async () => {
    const change = await proposed();
    expect((await withdraw(ada, change.id)).status).toBe(204);
    await pass(DAY_MS);
    await tick();
    expect(await hoursNow()).not.toBe(change.hours);
  });

  test("can be refused by an approver, who sees the proposal; other users neither see nor refuse it", async () => {
    const [approver, operator] = [await joined("approver"), await joined("operator")];
    const change = await proposed();
    expect(await listed(approver, change.id)).toMatchObject({ own: false, may_confirm: false });
    expect(await listed(operator, change.id)).toBeUndefined();
    expect(refusal(await withdraw(operator, change.id))).toEqual([404, "not_found"]);
    expect(refusal(await confirm(approver, change.id))).toEqual([403, "forbidden"]);
    expect((await withdraw(approver, change.id)).status).toBe(204);
    await pass(DAY_MS);
    await tick();
    expect(await outcomeOf(change.id)).toBe("withdrawn");
    expect(await hoursNow()).not.toBe(change.hours);
  });

  test("fetches the link of an invitation after 24 hours, because no tick creates a link without a recipient", async () => {
    const email = "late@example.test";
    const invitation = { kind: "invite", email, name: "Late", roles: ["approver"] };
    const { json } = await ada.post("/api/pending-changes", invitation);
    await pass(DAY_MS);
    await tick();
    expect(await outcomeOf(json.id)).toBeNull();
    expect((await listed(ada, json.id)).may_confirm).toBe(true);
    expect((await confirm(ada, json.id)).json.link.path).toMatch(/^\/invite#/);
    expect(refusal(await confirm(ada, json.id))).toEqual([409, "wrong_state"]);
  });

  test("sees a proposal become void when its subject has changed", async () => {
    const someone = await joined("viewer");
    const change = { kind: "roles", user_id: someone.userId, roles: ["approver"] };
    const { json } = await ada.post("/api/pending-changes", change);
    await setRoles(server.deps.database, someone.userId, ["uploader"]);
    await pass(DAY_MS, someone);
    await tick();
    expect(await outcomeOf(json.id)).toBe("void");
    expect((await someone.get("/api/session")).json.person.roles).toEqual(["uploader"]);
    expect((await auditOf(json.id)).at(-1)).toBe("payrun void_change");
  });

  test("loses the proposal with the role", async () => {
    const change = await proposed();
    await pass(DAY_MS);
    await setRoles(server.deps.database, ada.userId, ["viewer"]);
    await tick();
    expect(await outcomeOf(change.id)).toBeNull();
    expect(await hoursNow()).not.toBe(change.hours);
  });

  test("cannot apply a proposal three days after its time, and neither can the tick", async () => {
    const change = await proposed();
    await pass(4 * DAY_MS);
    await tick();
    expect(refusal(await confirm(ada, change.id))).toEqual([410, "change_expired"]);
    expect(await hoursNow()).not.toBe(change.hours);
  });
});

describe("with a second admin meanwhile", () => {
  test("applies the proposal immediately when that admin confirms it", async () => {
    const change = await proposed();
    const ben = await joined("admin");
    expect(await listed(ben, change.id)).toMatchObject({ may_confirm: true });
    expect((await confirm(ben, change.id)).status).toBe(200);
    expect(await hoursNow()).toBe(change.hours);
  });

  test("never applies the proposal automatically, not even after that admin was disabled", async () => {
    const change = await proposed();
    const ben = await joined("admin");
    await pass(DAY_MS, ben);
    await tick();
    expect(refusal(await confirm(ada, change.id))).toEqual([403, "own_change"]);
    await ada.post(`/api/users/${ben.userId}/disable`);
    await tick();
    expect(refusal(await confirm(ada, change.id))).toEqual([403, "own_change"]);
    expect(await outcomeOf(change.id)).toBeNull();
    // A day later every user had time to see it.
    await pass(DAY_MS + 1);
    await tick();
    expect(await outcomeOf(change.id)).toBe("applied");
  });
});

test("counts one of a concurrent tick, withdrawal and confirmation", async () => {
  for (let round = 0; round < 6; round++) {
    const change = await proposed();
    await pass(DAY_MS);
    const by = { id: ada.userId, actor: `user:${ada.userId}` };
    const withdrawn = withdrawChange(change.id, by, server.deps);
    const [own, done] = await Promise.all([confirm(ada, change.id), withdrawn, tick(), tick()]);
    const outcome = String(await outcomeOf(change.id));
    expect(["applied", "withdrawn"]).toContain(outcome);
    expect([outcome, done.ok]).toEqual([outcome, outcome === "withdrawn"]);
    expect(own.status === 200 && outcome === "withdrawn").toBe(false);
    expect((await hoursNow()) === change.hours).toBe(outcome === "applied");
    const lines = (await auditOf(change.id)).filter((line) => !line.endsWith("propose_change"));
    expect(lines).toHaveLength(1);
  }
});

describe("the database itself", () => {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(server.deps.database);

  test("lets no change take effect early, and none without 24 hours", async () => {
    const { id } = await proposed();
    const apply = (when: string) => sql`update pending_changes set outcome = 'applied',
      decided_at = at + ${when}::interval where id = ${id}`;
    await expect(run(apply("23 hours 59 minutes"))).rejects.toThrow("does not take effect yet");
    await expect(run(apply("4 days"))).rejects.toThrow("expired");
    const edit = sql`update pending_changes set takes_effect_at = at, outcome = 'withdrawn',
      decided_by = proposed_by, decided_at = at where id = ${id}`;
    await expect(run(edit)).rejects.toThrow("not edited");
    await withdraw(ada, id);
  });

  test("accepts no lone admin's proposal from an admin who is not alone", async () => {
    await joined("admin");
    const at = new Date(clock.nowMs());
    const proposal = {
      change: { kind: "payout_limits" },
      standsOn: "",
      proposedBy: ada.userId,
      at,
      takesEffectAt: new Date(at.getTime() + DAY_MS),
      expiresAt: new Date(at.getTime() + 2 * DAY_MS),
    };
    await expect(insertChange(server.deps.database, proposal)).rejects.toThrow("only admin");
  });

  test("never returns to the setup", async () => {
    for (const statement of [
      sql`delete from setup_ended`,
      sql`update setup_ended set at = now()`,
      sql`truncate setup_ended`,
    ]) {
      await expect(run(statement)).rejects.toThrow("setup_ended");
    }
  });
});

describe("during the setup", () => {
  test("lets the only admin set rules immediately, and ends when a second approver or admin has joined", async () => {
    const first = await startTestServer({ clock });
    const { newUser, deps } = first;
    const join = async (role: Role) => {
      const person = await newUser([role]);
      await setPassword(deps.database, person.userId, "$argon2id$");
      const set = { stepped_up_until: new Date(clock.nowMs() + 5 * MINUTE_MS) };
      const { database } = deps;
      await database
        .updateTable("sessions")
        .set(set)
        .where("user_id", "=", person.userId)
        .execute();
      return person;
    };
    const admin = await join("admin");
    const change = async () => {
      const body = { base: 2, rules: [], hours: 12 };
      return (await admin.send("PUT", "/api/approval-rules", { body })).status;
    };
    await join("uploader");
    expect(await change()).toBe(200);
    const invitation = { email: "a@example.test", name: "An approver", roles: ["approver"] };
    expect((await admin.post("/api/users", invitation)).status).toBe(201);
    // An invitation alone does not end it.
    expect(await change()).toBe(200);
    expect((await admin.get("/api/pending-changes")).json.is_set_up).toBe(false);
    const approver = await join("approver");
    expect(await change()).toBe(409);
    // Not even when that person has lost every right.
    expect((await admin.post(`/api/users/${approver.userId}/disable`)).status).toBe(204);
    await setRoles(deps.database, approver.userId, ["viewer"]);
    expect(await change()).toBe(409);
    expect((await admin.get("/api/pending-changes")).json.is_set_up).toBe(true);
    await first.close();
  });
});

test("during the setup the only admin changes the rules immediately, and the log says so", async () => {
  const setup = await startTestServer({ clock });
  const people = peopleOf(() => setup, clock);
  const admin = await people.newAdmin();
  await setPassword(setup.deps.database, admin.userId, "$argon2id$");
  const body = { base: 2, rules: [], hours: 12 };
  expect((await admin.send("PUT", "/api/approval-rules", { body })).status).toBe(200);
  expect(await people.auditOf("approval_rules")).toEqual([
    `user:${admin.userId} change_alone`,
    `user:${admin.userId} approval_rules`,
  ]);
  await setup.close();
});
