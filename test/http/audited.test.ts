/** Every operation that is no mere look, and the line that it leaves on the audit log. */
import { Secret, TOTP } from "otpauth";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API, type OperationName } from "#api/api.ts";
import { hashPassword } from "#flows/people/hash.ts";
import { setPassword } from "#ledger/people/users.ts";
import { verifyAudit } from "#ledger/audit.ts";
import type { Batch } from "#ledger/ledger.ts";
import { type Answer, type Caller, startDesk, type TestDesk } from "../support/desk.ts";
import { handIn, laneIn, takeIn } from "../support/ledger.ts";
import { fileText, rowsOf } from "../support/payrun.ts";
import { OTHER, PASSWORD, tokenOf } from "../support/people.ts";

let desk: TestDesk;
let admin: Caller;
let operator: Caller;
let checker: Caller;
let uploader: Caller;
beforeAll(async () => {
  desk = await startDesk();
  [admin, operator, checker, uploader] = await Promise.all([
    newcomer("admin"),
    newcomer("operator"),
    newcomer("approver"),
    newcomer("uploader"),
  ]);
});
afterAll(() => desk.close());

/** Somebody with a password, whose proof is fresh. */
async function newcomer(role: "admin" | "operator" | "approver" | "uploader"): Promise<Caller> {
  const caller = await desk.newUser([role]);
  const { database, clock } = desk.desk;
  await setPassword(database, caller.userId, await hashPassword(PASSWORD));
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(clock.nowMs() + 600_000) })
    .where("user_id", "=", caller.userId)
    .execute();
  return caller;
}

const INR = laneIn("INR");
const REASON = { reason: "asked to" };

async function waiting(people = 2): Promise<Batch> {
  const { ledger, database } = desk.desk;
  const body = { base: people, rules: [], hours: 48 };
  await admin.send("PUT", "/api/approval-rules", { body });
  const { batch } = await takeIn(ledger, fileText(rowsOf(2)), `user:${uploader.userId}`);
  await handIn(database, batch);
  return batch;
}

const approval = ({ contentDigest }: Batch) => ({
  content_digest: contentDigest,
  totals: [{ currency: "INR", amount: "200.00" }],
});

async function approved(): Promise<Batch> {
  const batch = await waiting();
  await checker.post(`/api/batches/${batch.id}/approve`, approval(batch));
  return batch;
}

async function paused(): Promise<string> {
  const { id } = await approved();
  await operator.post(`/api/batches/${id}/pause`, REASON);
  return id;
}

/** A batch with one row that is wrong. */
async function dirty(): Promise<string> {
  const text = fileText([...rowsOf(1), { ifsc: "HDFCO000001" }]);
  return (await uploader.post("/api/batches?file_name=x.csv", text)).json.batch.batch_id;
}

async function payout(): Promise<string> {
  await approved();
  return (await operator.get("/api/payouts?limit=1")).json.items[0].code;
}

async function channel(): Promise<string> {
  const body = {
    kind: "email",
    target: "ops@example.test",
    name: "ops",
    events: ["batch_finished"],
  };
  return (await admin.post("/api/channels", body)).json.channel.id;
}

async function invited(): Promise<{ readonly userId: string; readonly token: string }> {
  const { userId } = await desk.newUser(["viewer"]);
  const { json } = await admin.post(`/api/users/${userId}/link`, {});
  return { userId, token: tokenOf(json) };
}

async function signedIn(): Promise<Caller> {
  const { json } = await admin.post("/api/users", {
    email: `new-${Math.random()}@example.test`,
    name: "New",
    roles: ["viewer"],
  });
  const body = { token: tokenOf(json), password: PASSWORD };
  return desk.entered(await desk.nobody.post("/api/links/use", body));
}

async function sessionOf(caller: Caller): Promise<string> {
  return (await caller.get("/api/profile/sessions")).json.items[0].id;
}

async function enrolled(caller: Caller): Promise<{ readonly enrolment: string; code: string }> {
  const { enrolment, secret } = (await caller.post("/api/profile/totp")).json;
  return { enrolment, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
}

const key = () => ({
  name: "a program",
  scopes: ["read"],
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
});

const stopLane = () =>
  desk.desk.ledger.stopLane(INR, { until: "person", reason: "balance_too_low" });

type Change = Exclude<OperationName, `GET ${string}`>;
type Deed = () => Promise<Answer>;

/** What each leaves on the log; null: nothing that anybody has done is changed by it. */
const DEEDS: Readonly<Record<Change, readonly [action: string, act: Deed] | null>> = {
  "POST /api/batches": [
    "ingest",
    () => uploader.post("/api/batches?file_name=x.csv", fileText(rowsOf(1))),
  ],
  "POST /api/batches/:id/corrections": [
    "correct",
    async () => {
      const id = await dirty();
      const rejects = (await uploader.get(`/api/batches/${id}/rejects`)).text;
      return uploader.post(`/api/batches/${id}/corrections?file_name=r.csv`, rejects);
    },
  ],
  "POST /api/batches/:id/submit": [
    "submit",
    async () => uploader.post(`/api/batches/${await dirty()}/submit`, { leave_out: true }),
  ],
  "POST /api/batches/:id/approve": [
    "approve",
    async () => {
      const batch = await waiting();
      return checker.post(`/api/batches/${batch.id}/approve`, approval(batch));
    },
  ],
  "POST /api/batches/:id/withdraw-approval": [
    "withdraw_approval",
    async () => {
      const batch = await waiting(3);
      await checker.post(`/api/batches/${batch.id}/approve`, approval(batch));
      return checker.post(`/api/batches/${batch.id}/withdraw-approval`);
    },
  ],
  "POST /api/batches/:id/reject": [
    "give_back",
    async () => checker.post(`/api/batches/${(await waiting()).id}/reject`, REASON),
  ],
  "POST /api/batches/:id/question": [
    "question",
    async () =>
      checker.post(`/api/batches/${(await waiting()).id}/question`, { question: "Who is U-1?" }),
  ],
  "POST /api/batches/:id/pause": [
    "pause",
    async () => operator.post(`/api/batches/${(await approved()).id}/pause`, REASON),
  ],
  "POST /api/batches/:id/resume": [
    "open_lane",
    async () => {
      await stopLane();
      return operator.post(`/api/batches/${await paused()}/resume`, REASON);
    },
  ],
  "POST /api/batches/:id/cancel": [
    "cancel_rest",
    async () => operator.post(`/api/batches/${(await approved()).id}/cancel`, REASON),
  ],
  "PUT /api/approval-rules": [
    "approval_rules",
    () => admin.send("PUT", "/api/approval-rules", { body: { base: 2, rules: [], hours: 48 } }),
  ],
  "POST /api/approval-rules/try": null,
  "POST /api/channels": [
    "make_channel",
    () =>
      admin.post("/api/channels", {
        kind: "email",
        target: "a@example.test",
        name: "a",
        events: ["batch_finished"],
      }),
  ],
  "DELETE /api/channels/:id": [
    "end_channel",
    async () => admin.send("DELETE", `/api/channels/${await channel()}`),
  ],
  "POST /api/channels/:id/test": [
    "test_channel",
    async () => admin.post(`/api/channels/${await channel()}/test`),
  ],
  "POST /api/deliveries/replay": [
    "replay_delivery",
    async () => {
      await admin.post(`/api/channels/${await channel()}/test`);
      const [{ notice_id, channel_id }] = (await admin.get("/api/deliveries")).json.items;
      return admin.post("/api/deliveries/replay", { notice_id, channel_id });
    },
  ],
  "POST /api/lanes/pause": [
    "pause_lane",
    () => operator.post("/api/lanes/pause", { lane: "all", ...REASON }),
  ],
  "POST /api/lanes/resume": [
    "resume_lane",
    async () => {
      await operator.post("/api/lanes/pause", { lane: "all", ...REASON });
      return operator.post("/api/lanes/resume", { lane: "all", ...REASON });
    },
  ],
  "POST /api/lanes/open": [
    "open_lane",
    async () => {
      await approved();
      await stopLane();
      return operator.post("/api/lanes/open", { lane: INR, ...REASON });
    },
  ],
  "POST /api/operations/unfreeze": [
    "unfreeze",
    async () => {
      const epoch = await desk.desk.ledger.freeze({ reason: "by hand: a test", actor: "cli:ops" });
      const body = { epoch, ...REASON, hold_unasked: true };
      return operator.post("/api/operations/unfreeze", body);
    },
  ],
  "POST /api/payouts/:code/ask": [
    "ask",
    async () => operator.post(`/api/payouts/${await payout()}/ask`),
  ],
  "POST /api/payouts/:code/reveal": [
    "reveal",
    async () => operator.post(`/api/payouts/${await payout()}/reveal`, REASON),
  ],
  "POST /api/payouts/:code/notes": [
    "note",
    async () => operator.post(`/api/payouts/${await payout()}/notes`, { text: "called them" }),
  ],
  "POST /api/users": [
    "invite",
    () => admin.post("/api/users", { email: "i@example.test", name: "I", roles: ["viewer"] }),
  ],
  "PUT /api/users/:id/roles": [
    "roles",
    async () => {
      const { userId } = await desk.newUser(["viewer"]);
      return admin.send("PUT", `/api/users/${userId}/roles`, { body: { roles: ["uploader"] } });
    },
  ],
  "POST /api/users/:id/disable": [
    "disable",
    async () => admin.post(`/api/users/${(await desk.newUser(["viewer"])).userId}/disable`),
  ],
  "POST /api/users/:id/enable": [
    "enable",
    async () => {
      const { userId } = await desk.newUser(["viewer"]);
      await admin.post(`/api/users/${userId}/disable`);
      return admin.post(`/api/users/${userId}/enable`);
    },
  ],
  "POST /api/users/:id/link": [
    "invite_link",
    async () => admin.post(`/api/users/${(await desk.newUser(["viewer"])).userId}/link`, {}),
  ],
  "POST /api/keys": ["key_create", () => admin.post("/api/keys", key())],
  "DELETE /api/keys/:id": [
    "key_revoke",
    async () => admin.send("DELETE", `/api/keys/${(await admin.post("/api/keys", key())).json.id}`),
  ],
  "POST /api/profile/password": [
    "password",
    async () =>
      (await signedIn()).post("/api/profile/password", { current: PASSWORD, password: OTHER }),
  ],
  // It is kept, and asked for, from its first code on.
  "POST /api/profile/totp": null,
  "POST /api/profile/totp/confirm": [
    "totp_on",
    async () => {
      const caller = await newcomer("uploader");
      return caller.post("/api/profile/totp/confirm", await enrolled(caller));
    },
  ],
  "DELETE /api/profile/totp": [
    "totp_off",
    async () => {
      const caller = await newcomer("uploader");
      await caller.post("/api/profile/totp/confirm", await enrolled(caller));
      return caller.send("DELETE", "/api/profile/totp");
    },
  ],
  "DELETE /api/profile/sessions/:id": [
    "end_session",
    async () => {
      const caller = await signedIn();
      return caller.send("DELETE", `/api/profile/sessions/${await sessionOf(caller)}`);
    },
  ],
  "POST /api/session": [
    "sign_in",
    async () => {
      const { email } = (await uploader.get("/api/session")).json.person;
      return desk.nobody.post("/api/session", { email, password: PASSWORD });
    },
  ],
  "DELETE /api/session": [
    "sign_out",
    async () => (await signedIn()).send("DELETE", "/api/session"),
  ],
  "POST /api/session/step-up": [
    "step_up",
    () => uploader.post("/api/session/step-up", { password: PASSWORD }),
  ],
  "POST /api/links/look": null,
  "POST /api/links/use": [
    "join",
    async () => {
      const { token } = await invited();
      return desk.nobody.post("/api/links/use", { token, password: PASSWORD });
    },
  ],
};

test("no operation that may change something is missing here", () => {
  const changes = Object.keys(API).filter((name) => !name.startsWith("GET "));
  expect(Object.keys(DEEDS).toSorted()).toEqual(changes.toSorted());
});

const heard = async () => {
  const { rows } = await sql<{ action: string }>`select action from audit order by seq`.execute(
    desk.desk.database,
  );
  return rows.map(({ action }) => action);
};
const count = (actions: readonly string[], wanted: string) =>
  actions.filter((action) => action === wanted).length;

test.each(
  Object.entries(DEEDS).flatMap(([name, deed]) => (deed ? [[name, ...deed] as const] : [])),
)("%s is on the audit log as %s", async (_name, action, act) => {
  const before = count(await heard(), action);
  const { status, text } = await act();
  expect([status < 300, text]).toEqual([true, text]);
  expect(count(await heard(), action)).toBeGreaterThan(before);
});

test("a proof that fails is on the audit log, under the name of whoever was signed in", async () => {
  const before = count(await heard(), "step_up_refused");
  await uploader.post("/api/session/step-up", { password: OTHER });
  await uploader.post("/api/profile/password", { current: OTHER, password: PASSWORD });
  expect(count(await heard(), "step_up_refused")).toBe(before + 2);
  expect(await verifyAudit(desk.desk.database)).toMatchObject({ intact: true });
});
