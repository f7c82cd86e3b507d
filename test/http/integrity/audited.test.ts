/** Every operation that changes something, and its audit line. */
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { API, type OperationName } from "#api/api.ts";
import { laneParts } from "#payout/payout.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { batchActions } from "../../support/actions/batch-deeds.ts";
import type { Answer } from "../../support/dashboard/server.ts";
import { OTHER, PASSWORD } from "../../support/actions/people.ts";
import { peopleActions } from "../../support/actions/people-deeds.ts";
import { DEPOSIT, INR, KRW_DEPOSIT, openScene, REASON } from "../../support/actions/scene.ts";
import { payoutActions } from "../../support/actions/payout-action-deeds.ts";
import { reconciliationActions } from "../../support/actions/reconciliation-deeds.ts";
import { assignmentActions } from "../../support/actions/triage-deeds.ts";
import { scheduleActions } from "../../support/actions/timed-deeds.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, admin, operator, uploader, checker, held, foundOut } = scene;
const { approved, payout, channel, stopLane, ofLane, declined, deposit, setLimits } = scene;
const { unexplained, sayWhatBecame } = scene;

const CHANNEL = { kind: "email", target: "a@b.test", name: "a", events: ["batch_finished"] };

/** Proposes to erase a person whose payouts are final. */
const propose = async (): Promise<Answer> => {
  const { rows } = await sql<{ code: string }>`
    select transaction_code as code from payouts p join payout_details d on d.payout_id = p.id
    where p.batch_id = ${await declined()} order by p.id limit 1`.execute(server.deps.database);
  return operator.post("/api/erasures", { code: rows[0]?.code, reason: "request 12" });
};

type Change = Exclude<OperationName, `GET ${string}`>;

/** The audit action of each operation. Null: it changes nothing that a person has done. */
const ACTIONS: Readonly<Record<Change, readonly [string, () => Promise<Answer>] | null>> = {
  ...batchActions(scene),
  "POST /api/batches/:id/retry-batch": [
    "ingest",
    async () =>
      uploader.post(`/api/batches/${await declined()}/retry-batch`, { reason: "it was confirmed" }),
  ],
  "POST /api/batches/:id/retry-batch/check": null,
  "POST /api/erasures": ["propose_erasure", () => propose()],
  "POST /api/erasures/:id/decide": [
    "erase_person",
    async () => {
      const { id } = (await propose()).json;
      return checker.post(`/api/erasures/${id}/decide`, { agree: true });
    },
  ],
  "PUT /api/approval-rules": [
    "approval_rules",
    () => admin.send("PUT", "/api/approval-rules", { body: { base: 2, rules: [], hours: 48 } }),
  ],
  "PUT /api/payout-limits": ["payout_limits", () => setLimits()],
  "POST /api/account-filters": [
    "search_account",
    () => server.as("operator").post("/api/account-filters", { account: "50100012345678" }),
  ],
  "POST /api/search": null,
  "POST /api/approval-rules/preview": null,
  "POST /api/channels/check": null,
  "POST /api/channels": ["create_channel", () => admin.post("/api/channels", CHANNEL)],
  "PUT /api/channels/:id": [
    "edit_channel",
    async () => {
      const id = await channel();
      const { items } = (await admin.get("/api/channels")).json;
      const { version } = items.find((each: { id: string }) => each.id === id);
      return admin.send("PUT", `/api/channels/${id}`, { body: { ...CHANNEL, version } });
    },
  ],
  "DELETE /api/channels/:id": [
    "delete_channel",
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
  "POST /api/lanes/pause": ["pause_lane", () => ofLane("pause", "all")],
  "POST /api/lanes/resume": [
    "resume_lane",
    async () => {
      await ofLane("pause", "all");
      return ofLane("resume", "all");
    },
  ],
  "POST /api/lanes/open": [
    "open_lane",
    async () => {
      await approved();
      await stopLane();
      return ofLane("open", INR);
    },
  ],
  "PUT /api/merchant-accounts/:code": [
    "name_account",
    () => {
      const path = `/api/merchant-accounts/${laneParts(INR).merchantCode}`;
      return admin.send("PUT", path, { body: { name: "Main account" } });
    },
  ],
  "POST /api/lanes/rate-limits": ["set_lane", () => ofLane("rate-limits", INR, { rate: 20 })],
  "POST /api/operations/unfreeze": [
    "unfreeze",
    async () => {
      const epoch = await server.deps.ledger.integrity.freeze({
        reason: "manually: a test",
        actor: "cli:ops",
      });
      const body = { epoch, ...REASON, hold_unqueried: true, without_memory: true };
      return operator.post("/api/operations/unfreeze", body);
    },
  ],
  "POST /api/payouts/:code/query": [
    "query_status",
    async () => operator.post(`/api/payouts/${await payout()}/query`),
  ],
  "POST /api/payouts/:code/reveal": [
    "reveal",
    async () => operator.post(`/api/payouts/${await payout()}/reveal`, REASON),
  ],
  "POST /api/payouts/:code/notes": [
    "note",
    async () => operator.post(`/api/payouts/${await payout()}/notes`, { text: "called them" }),
  ],
  "POST /api/comments": [
    "comment",
    async () => operator.post("/api/comments", { payout: await payout(), text: "called them" }),
  ],
  "POST /api/comments/seen": null,
  "POST /api/inbox/read": null,
  "POST /api/payouts/:code/resolve": [
    "propose_resolution",
    async () =>
      operator.post(`/api/payouts/${await held()}/resolve`, {
        arrived: true,
        evidence: "ticket 1",
      }),
  ],
  "POST /api/payouts/:code/resolution": [
    "resolve_payout",
    async () => {
      const code = await held();
      const id = await foundOut(code);
      return checker.post(`/api/payouts/${code}/resolution`, { id, agree: true });
    },
  ],
  "POST /api/payouts/:code/end-wait": [
    "propose_end_wait",
    async () =>
      operator.post(`/api/payouts/${await scene.waitingAgain()}/end-wait`, { reason: "ticket 2" }),
  ],
  "POST /api/payouts/:code/wait-ending": [
    "end_wait",
    async () => {
      const code = await scene.waitingAgain();
      const id = await scene.endProposed(code);
      return checker.post(`/api/payouts/${code}/wait-ending`, { id, agree: true });
    },
  ],
  ...peopleActions(scene),
  ...assignmentActions(scene),
  ...reconciliationActions(scene),
  ...payoutActions(scene),
  "POST /api/deposits": ["request_deposit", () => uploader.post("/api/deposits", DEPOSIT)],
  "POST /api/deposits/:code/query": [
    "query_status",
    async () => operator.post(`/api/deposits/${await deposit(DEPOSIT)}/query`),
  ],
  "POST /api/deposits/:code/krw-account": [
    "send_account",
    async () => {
      const body = { bank_code: "004", account_number: "12345678901" };
      return uploader.post(`/api/deposits/${await deposit(KRW_DEPOSIT)}/krw-account`, body);
    },
  ],
  "POST /api/deposits/:code/reference": [
    "send_reference",
    async () => {
      const body = { reference: "123456789012" };
      return uploader.post(`/api/deposits/${await deposit(DEPOSIT)}/reference`, body);
    },
  ],
  "POST /api/deposits/:code/resolve": [
    "propose_resolution",
    async () => sayWhatBecame(await unexplained()),
  ],
  "POST /api/deposits/:code/resolution": [
    "resolve_deposit",
    async () => {
      const { code, resolution } = (await sayWhatBecame(await unexplained())).json;
      return checker.post(`/api/deposits/${code}/resolution`, { id: resolution.id, agree: true });
    },
  ],
  ...scheduleActions(scene),
  "POST /api/links/inspect": null,
  "POST /api/links/password-check": null,
  "POST /api/profile/password-check": null,
  "PUT /api/profile/preferences": null,
  "POST /api/views": null,
  "PUT /api/views/:id": null,
  "DELETE /api/views/:id": null,
};

test("lists every operation that may change something", () => {
  const changes = Object.keys(API).filter((name) => !name.startsWith("GET "));
  expect(Object.keys(ACTIONS).toSorted()).toEqual(changes.toSorted());
});

const auditedOperations = async () => {
  const { rows } = await sql<{ action: string }>`select action from audit order by seq`.execute(
    server.deps.database,
  );
  return rows.map(({ action }) => action);
};
const count = (actions: readonly string[], wanted: string) =>
  actions.filter((action) => action === wanted).length;

test.each(
  Object.entries(ACTIONS).flatMap(([name, deed]) => (deed ? [[name, ...deed] as const] : [])),
)("records %s on the audit log as %s", async (_name, action, act) => {
  const before = count(await auditedOperations(), action);
  const { status, text } = await act();
  expect([status < 300, text]).toEqual([true, text]);
  expect(count(await auditedOperations(), action)).toBeGreaterThan(before);
});

test("records a failed step-up on the audit log, with the name of the signed-in user", async () => {
  const before = count(await auditedOperations(), "step_up_refused");
  await uploader.post("/api/session/step-up", { password: OTHER });
  await uploader.post("/api/profile/password", { current: OTHER, password: PASSWORD });
  expect(count(await auditedOperations(), "step_up_refused")).toBe(before + 2);
  expect(await verifyAudit(server.deps.database)).toMatchObject({ intact: true });
});
