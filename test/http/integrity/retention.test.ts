/** Retention rules and archives over HTTP, with two admins. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openArchive } from "#integrity/archive/read.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { detachArchive } from "#ledger/integrity/archive/work-archive.ts";
import { setPassword } from "#ledger/people/users.ts";
import { RETENTION_KIND_NAMES } from "#integrity/retention.ts";
import type { Caller } from "../../support/dashboard/server.ts";
import { openScene } from "../../support/actions/scene.ts";

const scene = await openScene();
const { server, uploader, operator, declined } = scene;
const folder = mkdtempSync(join(tmpdir(), "payrun-retention-"));
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

let ada: Caller;
let ben: Caller;
beforeAll(async () => {
  const { database, clock } = server.deps;
  [ada, ben] = [await server.newUser(["admin"]), await server.newUser(["admin"])];
  for (const { userId } of [ada, ben]) {
    await setPassword(database, userId, "$argon2id$");
    await database
      .updateTable("sessions")
      .set({ stepped_up_until: new Date(clock.nowMs() + 600_000) })
      .where("user_id", "=", userId)
      .execute();
  }
});

const NO_RULES = Object.fromEntries(RETENTION_KIND_NAMES.map((kind) => [kind, null]));
const put = (rules: object, hold: string | null = null) =>
  ada.send("PUT", "/api/retention", { body: { rules: { ...NO_RULES, ...rules }, hold } });
const agree = async (change: object) => {
  const { json } = await ada.post("/api/pending-changes", change);
  expect((await ada.post(`/api/pending-changes/${json.id}/confirm`)).json.code).toBe("own_change");
  expect((await ben.post(`/api/pending-changes/${json.id}/confirm`)).status).toBe(200);
};

test("needs two admins for a rule that deletes, a shorter one, and the end of a legal hold", async () => {
  expect((await put({ payout_details: 3_650 }, "case 12")).status).toBe(200);
  expect((await put({ payout_details: 3_650 })).json.code).toBe("second_admin_needed");
  expect((await put({ payout_details: 3_649 }, "case 12")).json.code).toBe("second_admin_needed");
  const rules = { ...NO_RULES, payout_details: 3_650, sessions: 100 };
  expect((await put(rules, "case 12")).json.code).toBe("second_admin_needed");
  await agree({ kind: "retention", rules, hold: null });
  expect((await operator.get("/api/retention")).json).toEqual({ rules, hold: null, ran_at: null });
  expect((await put({ ...rules, sessions: 200 })).status).toBe(200);
  expect((await put({ ...rules, sessions: 29 })).json.code).toBe("invalid_request");
  expect((await ada.get("/api/retention/expired")).json.expired).toMatchObject({ sessions: 0 });
});

test("does not erase a person while a rule keeps the details of a payout", async () => {
  const batchId = await declined();
  const { json } = await operator.get(`/api/payouts?batch=${batchId}&limit=1`);
  const order = { code: json.items[0].code, reason: "request 12" };
  const refused = await operator.post("/api/erasures", order);
  expect(refused.json.detail).toContain("must be kept longer");
  await agree({ kind: "retention", rules: NO_RULES, hold: null });
  expect((await put({}, "case 12")).status).toBe(200);
  expect((await operator.post("/api/erasures", order)).json.detail).toContain("must be kept");
  await agree({ kind: "retention", rules: NO_RULES, hold: null });
  expect((await operator.post("/api/erasures", order)).status).toBeLessThan(300);
});

test("proposes a removal once, and refuses what needs the rows of an archive", async () => {
  const batchId = await declined();
  const { database, sealer, clock } = server.deps;
  while ((await publishEvents(database)) > 0);
  const until = new Date(Date.now() + 86_400_000);
  const deps = { database, sealer, clock };
  await createArchives({ folder, until, actor: "cli:root" }, deps);
  const [listed] = (await operator.get("/api/archives")).json.archives;
  expect(listed.stored).toBe("ledger");
  const change = { kind: "detach_archive", archive_id: listed.id };
  const { json } = await ada.post("/api/pending-changes", change);
  const stored = async () => (await operator.get("/api/archives")).json.archives[0].stored;
  expect(await stored()).toBe("proposed");
  expect((await ben.post("/api/pending-changes", change)).json.code).toBe("wrong_state");
  expect((await ben.post(`/api/pending-changes/${json.id}/confirm`)).status).toBe(200);
  expect(await stored()).toBe("agreed");

  const [name = ""] = readdirSync(folder);
  const archive = await openArchive(join(folder, name), sealer.publicKeys());
  await detachArchive(archive, { actor: "cli:root" }, deps);
  await archive.close();
  expect(await stored()).toBe("file");

  expect((await operator.get(`/api/batches/${batchId}`)).json.archived).toMatchObject({
    files: [name],
  });
  const code = (await operator.get(`/api/payouts?batch=${batchId}&limit=1`)).json.items[0].code;
  expect((await operator.get(`/api/payouts/${code}`)).json.archive_file).toBe(name);
  const copy = await uploader.get(`/api/batches/${batchId}/copy`);
  expect(copy.json).toMatchObject({ code: "wrong_state" });
  expect(copy.json.detail).toContain(name);
  expect((await uploader.get(`/api/batches/${batchId}/report`)).status).toBe(200);
  const retry = await uploader.post(`/api/batches/${batchId}/retry-batch`, { reason: "again" });
  expect(retry.status).toBe(409);
});
