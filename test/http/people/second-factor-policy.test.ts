/** A role can require a second factor. A user without one can only read. */
import { Secret, TOTP } from "otpauth";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import type { Batch } from "#ledger/ledger.ts";
import { removeTotp } from "#ledger/people/second-factors.ts";
import { readFactorRoles, writeFactorRoles } from "#ledger/people/second-factor-policy.ts";
import { setPassword } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { MINUTE_MS, PASSWORD, peopleOf, stillClock } from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());
const { joined, newAdmin, signIn, auditOf } = peopleOf(() => server, clock);

const demand = (...roles: Role[]) =>
  server.deps.database
    .transaction()
    .execute((transaction) =>
      writeFactorRoles(transaction, roles, { actor: "test", at: new Date(clock.nowMs()) }),
    );
afterEach(() => demand());

const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs() });

/** Sets up the second factor. Returns its secret and recovery codes. */
async function enrol(user: Caller): Promise<{ secret: string; recovery: string[] }> {
  const { enrolment, secret } = (await user.post("/api/profile/totp")).json;
  const body = { enrolment, code: codeOf(secret) };
  const { json } = await user.post("/api/profile/totp/confirm", body);
  clock.put(MINUTE_MS); // a code counts once
  return { secret, recovery: json.recovery_codes };
}
const stepUp = (user: Caller, proof: object) => user.post("/api/session/step-up", proof);

async function waitingBatch(): Promise<Batch> {
  const { ledger, database } = server.deps;
  const { userId } = await server.newUser(["uploader"]);
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)), `user:${userId}`);
  await sendForApproval(database, batch);
  return batch;
}
const approve = (user: Caller, { id, contentDigest }: Batch) =>
  approveAt(user, `/api/batches/${id}`, {
    content_digest: contentDigest,
    totals: [{ currency: "INR", amount: "300.00" }],
  });
/** Without the API: the checks of the flow and the database. */
const approveByFlow = (userId: string, batch: Batch, sessionId?: string) =>
  approveAs(
    {
      batchId: batch.id,
      userId,
      sessionId,
      contentDigest: batch.contentDigest,
      totals: totalsOf(batch),
    },
    server.deps,
  );
const sessionOf = async (user: Caller): Promise<string> =>
  (await user.get("/api/profile/sessions")).json.items[0].id;
const REFUSED = { ok: false, error: { kind: "second_factor_required" } };

describe("a user without the required second factor", () => {
  test("can sign in and read, and learns from every refusal what to do", async () => {
    const { user, email } = await joined(["approver", "operator"]);
    await demand("approver");
    const { json } = await signIn(email);
    expect(json.person).toMatchObject({ has_totp: false, second_factor_missing: ["approver"] });
    // The operator's rights remain.
    expect(json.person.permissions.toSorted()).toEqual(["operate", "read", "reveal"]);
    const batch = await waitingBatch();
    expect((await user.get(`/api/batches/${batch.id}/approval`)).status).toBe(200);
    const refused = await approve(user, batch);
    expect(refused).toMatchObject({ status: 403, json: { code: "second_factor_required" } });
    expect(refused.json.detail).toMatch(/approver role.*profile/);
  });

  test("cannot manage users as an admin", async () => {
    const admin = await newAdmin();
    await demand("admin");
    for (const path of ["/api/users", "/api/second-factor-policy", "/api/audit"]) {
      expect((await admin.get(path)).json.code).toBe("second_factor_required");
    }
    expect((await admin.get("/api/batches")).status).toBe(200);
  });

  test("cannot step up with the password alone", async () => {
    const { user } = await joined(["approver"]);
    expect((await stepUp(user, { password: PASSWORD })).status).toBe(200);
    await demand("approver");
    expect((await stepUp(user, { password: PASSWORD })).json.code).toBe("second_factor_required");
    expect(await auditOf(await sessionOf(user))).not.toContain("step_up_refused");
  });

  test("cannot approve through the API, the flow or an SQL statement", async () => {
    const { user } = await joined(["approver"]);
    await stepUp(user, { password: PASSWORD });
    await demand("approver");
    const batch = await waitingBatch();
    expect((await approve(user, batch)).json.code).toBe("second_factor_required");
    const session = await sessionOf(user);
    expect(await approveByFlow(user.userId, batch)).toEqual(REFUSED);
    expect(await approveByFlow(user.userId, batch, session)).toEqual(REFUSED);
    const forged = sql`
      insert into approvals (batch_id, user_id, session_id, content_digest, totals, expires_at, second_factor)
      values (${batch.id}, ${user.userId}, ${session}, ${batch.contentDigest}, '{}', now() + '1 day', true)`;
    await expect(forged.execute(server.deps.database)).rejects.toMatchObject({
      constraint: "approval_with_second_factor",
    });
  });
});

describe("the first factor", () => {
  test("is set up right after the invitation and enables the role", async () => {
    await demand("approver");
    const { user } = await joined(["approver"]);
    const { recovery } = await enrol(user);
    const { person } = (await user.get("/api/session")).json;
    expect(person).toMatchObject({ has_totp: true, second_factor_missing: [] });
    expect(person.permissions).toContain("approve");
    const batch = await waitingBatch();
    expect((await approve(user, batch)).json.code).toBe("step_up_required");
    // A recovery code counts as the factor.
    expect((await stepUp(user, { code: recovery[0] })).status).toBe(200);
    expect((await approve(user, batch)).json).toEqual({ state: "approved", missing: 0 });
    const { rows } = await sql`
      select second_factor from approvals where batch_id = ${batch.id}`.execute(
      server.deps.database,
    );
    expect(rows).toEqual([{ second_factor: true }]);
  });

  test("needs a sign-in of the last 15 minutes", async () => {
    await demand("approver");
    const { user, email } = await joined(["approver"]);
    const started = (await user.post("/api/profile/totp")).json;
    clock.put(15 * MINUTE_MS);
    expect((await user.post("/api/profile/totp")).json.code).toBe("sign_in_again");
    const body = { enrolment: started.enrolment, code: codeOf(started.secret) };
    expect((await user.post("/api/profile/totp/confirm", body)).json.code).toBe("sign_in_again");
    // A later sign-in does not finish a setup from another session either.
    const again = server.entered(await signIn(email));
    expect((await again.post("/api/profile/totp/confirm", body)).json.code).toBe(
      "wrong_password_or_code",
    );
    await enrol(again);
  });

  test("cannot be removed while a role requires it; after a reset it is set up again", async () => {
    await demand("approver");
    const { user, email } = await joined(["approver"]);
    const { recovery } = await enrol(user);
    await stepUp(user, { code: recovery[0] });
    const kept = await user.send("DELETE", "/api/profile/totp");
    expect(kept).toMatchObject({ status: 409, json: { code: "second_factor_not_removable" } });
    await server.deps.database
      .transaction()
      .execute((transaction) => removeTotp(transaction, user.userId));
    const { json } = await signIn(email);
    expect(json.person.second_factor_missing).toEqual(["approver"]);
  });
});

describe("turning the policy on", () => {
  test("voids step-ups made with the password", async () => {
    const user = await newAdmin();
    const invitation = { email: "v@example.test", name: "Vera", roles: ["viewer"] };
    const proven = (by: "password" | "second_factor") =>
      server.deps.database
        .updateTable("sessions")
        .set({ stepped_up_until: new Date(clock.nowMs() + MINUTE_MS), stepped_up_by: by })
        .where("user_id", "=", user.userId)
        .execute();
    await proven("password");
    await demand("admin");
    expect((await user.post("/api/users", invitation)).json.code).toBe("second_factor_required");
    await enrol(user);
    await proven("password");
    expect((await user.post("/api/users", invitation)).json.code).toBe("step_up_required");
    await proven("second_factor");
    expect((await user.post("/api/users", invitation)).status).toBe(201);
  });

  test("voids approvals without the factor, which can be repeated with it", async () => {
    const { user } = await joined(["approver"]);
    const batch = await waitingBatch();
    await sql`update batches set people_needed = 3 where id = ${batch.id}`.execute(
      server.deps.database,
    );
    await stepUp(user, { password: PASSWORD });
    expect((await approve(user, batch)).json.missing).toBe(1);
    await demand("approver");
    const other = (await joined(["approver"])).user;
    await enrolAndStepUp(other);
    expect((await approve(other, batch)).json.missing).toBe(1);
    await enrolAndStepUp(user);
    expect((await approve(user, batch)).json).toEqual({ state: "approved", missing: 0 });
  });

  async function enrolAndStepUp(user: Caller): Promise<void> {
    const { recovery } = await enrol(user);
    await stepUp(user, { code: recovery[0] });
  }
});

test("refuses an approval that races with the removal of the factor", async () => {
  await demand("approver");
  const { user } = await joined(["approver"]);
  const { recovery } = await enrol(user);
  await stepUp(user, { code: recovery[0] });
  const batch = await waitingBatch();
  const session = await sessionOf(user);
  let approving: ReturnType<typeof approveByFlow> | undefined;
  await server.deps.database.transaction().execute(async (transaction) => {
    await removeTotp(transaction, user.userId);
    approving = approveByFlow(user.userId, batch, session);
    await new Promise((done) => setTimeout(done, 200));
  });
  expect(await approving).toEqual(REFUSED);
});

describe("the list of roles", () => {
  const put = (by: Caller, ...roles: Role[]) =>
    by.send("PUT", "/api/second-factor-policy", { body: { roles } });
  let ada: Caller;
  let ben: Caller;
  beforeEach(async () => {
    const { database } = server.deps;
    await sql`update users set disabled_at = to_timestamp(0) where 'admin' = any (roles)`.execute(
      database,
    );
    [ada, ben] = [await newAdmin(), await newAdmin()];
    for (const { userId } of [ada, ben]) await setPassword(database, userId, "$argon2id$");
  });

  test("is extended by one admin and shortened by two", async () => {
    expect((await put(ada, "uploader", "approver")).json.roles).toEqual(["uploader", "approver"]);
    expect((await put(ada, "approver", "operator")).json.code).toBe("second_admin_needed");
    const change = { kind: "second_factor_policy", roles: ["approver"] };
    const { json } = await ada.post("/api/pending-changes", change);
    expect(await readFactorRoles(server.deps.database)).toEqual(["uploader", "approver"]);
    const waiting = (await ben.get("/api/pending-changes")).json.items;
    expect(waiting).toMatchObject([
      { id: json.id, says: ["Roles that require a second factor: approver"] },
    ]);
    const confirm = `/api/pending-changes/${json.id}/confirm`;
    expect((await ada.post(confirm)).json.code).toBe("own_change");
    expect((await ben.post(confirm)).status).toBe(200);
    expect(await readFactorRoles(server.deps.database)).toEqual(["approver"]);
    expect(await auditOf("second_factor_policy")).toContain(
      `user:${ada.userId} second_factor_policy`,
    );
  });
});
