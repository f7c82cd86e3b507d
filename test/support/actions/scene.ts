import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { hashPassword } from "#flows/people/password-hash.ts";
import type { Batch } from "#ledger/ledger.ts";
import { setPassword } from "#ledger/people/users.ts";
import { approveAt } from "../dashboard/acknowledge.ts";
import { ACCEPTED, BANK, scriptedDepositGateway } from "../deposits.ts";
import { type Answer, type Caller, startTestServer } from "../dashboard/server.ts";
import { declineAll, sendForApproval, laneIn, ingestFile } from "../ledger.ts";
import { fileText, rowsOf, type TestRow } from "../servers/payrun.ts";
import { PASSWORD, tokenOf } from "./people.ts";

export const INR = laneIn("INR");
export const DEPOSIT = {
  currency: "INR",
  amount: "500",
  user_id: "U-1",
  deposit_name: "Kim",
  payment_code: "P01",
};
export const KRW_DEPOSIT = { ...DEPOSIT, currency: "KRW" };
export const REASON = { reason: "asked to" };

/** A dashboard with one user per changing role, and the data they need. */
export async function openScene() {
  const server = await startTestServer();
  /** A user with a fresh step-up. */
  async function newcomer(role: "admin" | "operator" | "approver" | "uploader"): Promise<Caller> {
    const caller = await server.newUser([role]);
    const { database, clock } = server.deps;
    // Two approvers or admins with a password would end the setup, during which one admin sets the
    // rules.
    if (role === "operator" || role === "uploader") {
      await setPassword(database, caller.userId, await hashPassword(PASSWORD));
    }
    await database
      .updateTable("sessions")
      .set({ stepped_up_until: new Date(clock.nowMs() + 600_000) })
      .where("user_id", "=", caller.userId)
      .execute();
    return caller;
  }

  const [admin, operator, checker, uploader] = await Promise.all([
    newcomer("admin"),
    newcomer("operator"),
    newcomer("approver"),
    newcomer("uploader"),
  ]);

  async function waiting(people = 2, rows: readonly TestRow[] = rowsOf(2)): Promise<Batch> {
    const { ledger, database } = server.deps;
    const body = { base: people, rules: [], hours: 48 };
    await admin.send("PUT", "/api/approval-rules", { body });
    const { batch } = await ingestFile(ledger, fileText(rows), `user:${uploader.userId}`);
    await sendForApproval(database, batch);
    return batch;
  }

  const approval = ({ contentDigest }: Batch) => ({
    content_digest: contentDigest,
    totals: [{ currency: "INR", amount: "200.00" }],
  });

  async function approved(): Promise<Batch> {
    const batch = await waiting();
    await approveAt(checker, `/api/batches/${batch.id}`, approval(batch));
    return batch;
  }

  /** A batch that awaits approval and contains exact duplicates of another batch. */
  async function repeating(): Promise<Batch> {
    const rows = rowsOf(2, (index) => ({ account: `7710000000000${index}` }));
    const first = await waiting(2, rows);
    await approveAt(checker, `/api/batches/${first.id}`, approval(first));
    return waiting(2, rows);
  }

  /** A batch that a restored ledger may have paid before. */
  async function quarantined(): Promise<string> {
    const { id } = await waiting();
    await sql`insert into quarantine (batch_id, cause, rows) values (${id}, 'frozen', 2)`.execute(
      server.deps.database,
    );
    return id;
  }

  async function paused(): Promise<string> {
    const { id } = await approved();
    await operator.post(`/api/batches/${id}/pause`, REASON);
    return id;
  }

  /** A batch whose payouts were all declined. */
  async function declined(): Promise<string> {
    const { id } = await approved();
    await declineAll(server.deps.ledger, id);
    return id;
  }

  /** A batch with one wrong row. */
  async function dirty(ifsc = "HDFCO000001"): Promise<string> {
    const text = fileText([...rowsOf(1), { ifsc }]);
    return (await uploader.post("/api/batches?file_name=x.csv", text)).json.batch.batch_id;
  }

  async function payout(): Promise<string> {
    await approved();
    return (await operator.get("/api/payouts?limit=1")).json.items[0].code;
  }

  /** A payout that the gateway does not explain. */
  async function held(): Promise<string> {
    const code = await payout();
    await server.deps.database
      .updateTable("payouts")
      .set({ state: "on_hold", reason: "resend_window_over" })
      .where("id", "in", (found) =>
        found.selectFrom("payout_details").select("payout_id").where("transaction_code", "=", code),
      )
      .execute();
    return code;
  }

  /** A payout without an answer, whose first request the gateway may still process. */
  async function waitingAgain(): Promise<string> {
    const code = await payout();
    const inRow = sql`where id in (select payout_id from payout_details where transaction_code = ${code})`;
    await sql`update payouts set state = 'submitting' ${inRow}`.execute(server.deps.database);
    await sql`update payouts set state = 'in_doubt', reason = 'no_answer', maybe_arrived = true, attempts = 1,
      first_sent_at = now() - interval '1 minute', last_sent_at = now() - interval '1 minute',
      unanswered_at = now() - interval '30 seconds' ${inRow}`.execute(server.deps.database);
    return code;
  }

  /** An operator proposes to end its wait. Returns the number of the proposal. */
  async function endProposed(code: string): Promise<number> {
    const body = { reason: "ticket 4712: the gateway has no such request" };
    return (await operator.post(`/api/payouts/${code}/end-wait`, body)).json.wait_ending.id;
  }

  /** A person states its result. Returns the number of that statement. */
  async function foundOut(code: string): Promise<number> {
    const body = { arrived: false, evidence: "ticket 4711: never received" };
    return (await operator.post(`/api/payouts/${code}/resolve`, body)).json.resolution.id;
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
    const { userId } = await server.newUser(["viewer"]);
    const { json } = await admin.post(`/api/users/${userId}/link`, {});
    return { userId, token: tokenOf(json) };
  }

  let newcomers = 0;
  async function signedIn(): Promise<Caller> {
    const number = (newcomers += 1);
    const { json } = await admin.post("/api/users", {
      email: `new-${number}@example.test`,
      name: `New ${number}`,
      roles: ["viewer"],
    });
    const body = { token: tokenOf(json), password: PASSWORD };
    return server.entered(await server.nobody.post("/api/links/use", body));
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

  const limits = [{ scope: "day", currency: "INR", amount: "9000000", hard: true }];
  const setLimits = (): Promise<Answer> =>
    admin.send("PUT", "/api/payout-limits", { body: { zone: "UTC", when_short: "warn", limits } });

  const gateway = scriptedDepositGateway();
  gateway.request = ({ money }) => (money.currency === "KRW" ? BANK : ACCEPTED);
  Object.assign(server.deps.deposits, { gateway });

  const deposit = async (wish: object): Promise<string> =>
    (await uploader.post("/api/deposits", wish)).json.code;

  /** One that the gateway does not explain. */
  async function unexplained(): Promise<string> {
    const code = await deposit(DEPOSIT);
    await server.deps.database
      .updateTable("deposits")
      .set({ state: "manual", reason: "contradiction", due_at: null })
      .where("transaction_code", "=", code)
      .execute();
    return code;
  }
  const sayWhatBecame = (code: string): Promise<Answer> =>
    operator.post(`/api/deposits/${code}/resolve`, { received: "500", evidence: "ticket 4711" });

  const stopLane = () =>
    server.deps.ledger.payout.stopLane(INR, { until: "person", reason: "balance_too_low" });
  const ofLane = (verb: string, lane: string, more = {}) =>
    operator.post(`/api/lanes/${verb}`, { lane, ...REASON, ...more });
  let secondAdmin: Promise<Caller> | null = null;
  /** An action that needs a second admin. That admin exists until the decision. */
  async function proposed(then?: "confirm" | "withdraw"): Promise<Answer> {
    secondAdmin ??= newcomer("admin");
    const second = await secondAdmin;
    const { database } = server.deps;
    const set = (change: object) =>
      database.updateTable("users").set(change).where("id", "=", second.userId).execute();
    await set({ disabled_at: null, password: "$argon2id$" });
    const rules = { kind: "approval_rules", base: 2, rules: [], hours: 24 };
    const waits = await admin.post("/api/pending-changes", rules);
    const answer = then
      ? await second.post(`/api/pending-changes/${waits.json.id}/${then}`)
      : waits;
    await set({ disabled_at: new Date(0) });
    return answer;
  }

  return {
    server,
    admin,
    operator,
    checker,
    uploader,
    newcomer,
    waiting,
    approval,
    approved,
    paused,
    repeating,
    quarantined,
    declined,
    dirty,
    payout,
    held,
    foundOut,
    waitingAgain,
    endProposed,
    channel,
    invited,
    signedIn,
    sessionOf,
    enrolled,
    key,
    proposed,
    stopLane,
    ofLane,
    deposit,
    unexplained,
    sayWhatBecame,
    setLimits,
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
