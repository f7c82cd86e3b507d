/**
 * Attempts to bypass the permission rules, all refused: an old link, an accomplice, involvement in
 * the batch.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { ingestFile } from "../../support/ledger.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { OTHER, PASSWORD, peopleOf, tokenOf } from "../../support/actions/people.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const { newAdmin, joined, steppedUp } = peopleOf(() => server, systemClock);

test("refuses a link created before its user got more rights", async () => {
  const { user, admin } = await joined(["uploader"]);
  const link = tokenOf((await admin.post(`/api/users/${user.userId}/link`, {})).json);
  const roles = await admin.send("PUT", `/api/users/${user.userId}/roles`, {
    body: { roles: ["viewer"] },
  });
  expect(roles.status).toBe(204);
  const used = await server.nobody.post("/api/links/use", { token: link, password: OTHER });
  expect(used.status).toBe(410);
});

test("prevents the person who requests approval of another's batch from approving it", async () => {
  const { ledger } = server.deps;
  const maker = await server.newUser(["uploader"]);
  const both = await steppedUp(await server.newUser(["uploader", "approver"]));
  const { batch } = await ingestFile(ledger, fileText(rowsOf(2)), `user:${maker.userId}`);
  expect((await both.post(`/api/batches/${batch.id}/request-approval`, {})).status).toBe(200);
  const { status, json } = await approveAt(both, `/api/batches/${batch.id}`, {
    content_digest: batch.contentDigest,
    totals: [{ currency: "INR", amount: "200.00" }],
  });
  expect([status, json.code]).toEqual([403, "own_batch"]);
});

test("refuses the key of a disabled user", async () => {
  const admin = await newAdmin();
  const key = await admin.post("/api/keys", {
    name: "k",
    scopes: ["read"],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const headers = { authorization: `Bearer ${key.json.key}` };
  const ask = () => server.nobody.get("/api/batches", { headers });
  expect((await ask()).status).toBe(200);
  await sql`update users set disabled_at = now() where id = ${admin.userId}`.execute(
    server.deps.database,
  );
  expect((await ask()).status).toBe(401);
});

test("keeps the count of wrong step-up codes through a password change", async () => {
  const { user } = await joined(["uploader"]);
  const stepUp = () => user.post("/api/session/step-up", { password: OTHER });
  let answer = await stepUp();
  for (let turn = 0; turn < 20 && answer.status !== 429; turn += 1) {
    await user.post("/api/profile/password", { current: PASSWORD, password: "short" });
    answer = await stepUp();
  }
  expect(answer.status).toBe(429);
});

test("prevents an admin who may approve from inviting an uploader alone", async () => {
  const admin = await steppedUp(await server.newUser(["admin", "approver"]));
  await newAdmin();
  await sql`update users set password = '$argon2id$' where 'admin' = any (roles)`.execute(
    server.deps.database,
  );
  const invite = { email: "puppet@example.test", name: "Puppet", roles: ["uploader"] };
  expect((await admin.post("/api/users", invite)).json.code).toBe("second_admin_needed");
  const uploader = await server.newUser(["uploader"]);
  const link = await admin.post(`/api/users/${uploader.userId}/link`, {});
  expect(link.json.code).toBe("second_admin_needed");
  const proposed = await admin.post("/api/pending-changes", { kind: "invite", ...invite });
  expect(proposed.status).toBe(201);
});

test("prevents rescheduling from sending earlier than approved, or from extending an approval", async () => {
  const { ledger } = server.deps;
  const maker = await server.newUser(["uploader", "operator"]);
  const key = await server.newKey(["operate"]);
  const checker = await steppedUp(await server.newUser(["approver"]));
  const { batch } = await ingestFile(ledger, fileText(rowsOf(2)), `user:${maker.userId}`);
  await maker.post(`/api/batches/${batch.id}/request-approval`, {});
  const approved = await approveAt(checker, `/api/batches/${batch.id}`, {
    content_digest: batch.contentDigest,
    totals: [{ currency: "INR", amount: "200.00" }],
    send: { at: "2099-12-31 09:00 Asia/Kolkata", expires_hours: 2 },
  });
  expect(approved.status).toBe(200);
  const putOff = (by: typeof maker, at: string, more = {}) =>
    by.post(`/api/batches/${batch.id}/reschedule`, { at, reason: "asked to", ...more });
  for (const by of [maker, key]) {
    for (const at of ["2099-11-26 09:00 Asia/Kolkata", "2099-12-31 03:30 UTC"]) {
      const { status, json } = await putOff(by, at);
      expect([status, json.code]).toEqual([422, "not_later"]);
      expect(json.detail).toBe(
        `${at} is not later than the scheduled time, 2099-12-31 09:00 Asia/Kolkata. To send the batch sooner, ask an approver who did not upload it to send it now.`,
      );
    }
  }
  const later = "2100-01-04 09:00 Asia/Kolkata";
  expect((await putOff(maker, later, { expires_hours: 720 })).status).toBe(400);
  expect((await putOff(maker, later)).status).toBe(204);
  expect((await maker.get(`/api/batches/${batch.id}`)).json.send).toMatchObject({
    says: later,
    expires_hours: 2,
  });
});

test("counts a user who uploads an existing file as its uploader, who may not approve it", async () => {
  const { ledger, database } = server.deps;
  const text = fileText(rowsOf(2));
  const maker = await server.newUser(["uploader"]);
  const both = await steppedUp(await server.newUser(["uploader", "approver"]));
  const { batch } = await ingestFile(ledger, text, `user:${maker.userId}`);
  const editors = async () =>
    (
      await database
        .selectFrom("batch_editors")
        .selectAll()
        .where("batch_id", "=", batch.id)
        .execute()
    ).map(({ actor }) => actor);
  const upload = async (by: typeof maker) =>
    (await by.post("/api/batches?file_name=again.csv", text)).json.is_new;

  expect([await upload(maker), await editors()]).toEqual([false, []]);
  expect([await upload(both), await editors()]).toEqual([false, [`user:${both.userId}`]]);
  await maker.post(`/api/batches/${batch.id}/request-approval`, {});
  const word = {
    content_digest: batch.contentDigest,
    totals: [{ currency: "INR", amount: "200.00" }],
  };
  const approveBy = async (by: typeof maker) => {
    const { status, json } = await approveAt(by, `/api/batches/${batch.id}`, word);
    return [status, json.code];
  };
  expect(await approveBy(both)).toEqual([403, "own_batch"]);
  const checker = await steppedUp(await server.newUser(["approver"]));
  expect(await approveBy(checker)).toEqual([200, undefined]);
  expect(await upload(await server.newUser(["uploader"]))).toBe(false);
  expect(await editors()).toHaveLength(1);
});

test("shows no full account in findings, because a reveal must be on the audit log", async () => {
  const uploader = await server.newUser(["uploader"]);
  const account = "5010 0000 9876 5432 1x?";
  const text = fileText([{ account }]);
  const { json } = await uploader.post("/api/batches?file_name=wrong.csv", text);
  const found = await uploader.get(`/api/batches/${json.batch.batch_id}/findings`);
  expect(found.json.findings[0].example).toMatchObject({
    column: "bank_account_number",
    found: expect.stringMatching(/^•+.{4}$/),
  });
  expect(found.text).not.toContain("9876");
});
