/** Assignments and snoozes of failure groups and payouts. They never change a payout. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch } from "../../support/ledger.ts";
import { FAST, merchantsFile, runHere, scratch } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const DAY_MS = 86_400_000;
const HELD = { state: "on_hold", reason: "status_unanswered" };

let server: TestServer;
let operator: Caller;

beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "operator", "uploader"]);
  operator = server.as("operator");
  const codes = ["HELD1", "HELD2", "LATE1", "DOUBT1", "FINE1"];
  const { ledger } = server.deps;
  await approvedBatch(
    ledger,
    codes.map((code) => ({ code, amount: "5.00", currency: "INR" as const })),
  );
});
afterAll(() => server.close());

const move = (code: string, state: string, reason: string | null) =>
  force(
    server.deps.databaseUrl,
    `update payouts set state = $2, reason = $3, updated_at = now()
     where id = (select payout_id from payout_details where transaction_code = $1)`,
    [code, state, reason],
  );

beforeEach(async () => {
  const text = "status_unanswered: said nothing";
  await move("HELD1", "on_hold", text);
  await move("HELD2", "on_hold", text);
  await move("DOUBT1", "in_doubt", "no_answer");
  await move("LATE1", "approved", null);
  await move("FINE1", "settled", null);
  await query(server.deps.databaseUrl, "delete from assignments", []);
});

const list = async (search = "") => (await server.as("viewer").get(`/api/failures${search}`)).json;
const put = (path: string, body: object) => operator.send("PUT", path, { body });
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const snoozed = async (days: number) =>
  put("/api/failures/snooze", { ...HELD, until: inDays(days), seen_at: (await list()).at });
const overOf = async (search = "") => (await list(search)).assigned[0].snooze.ended_by;

describe("a failure group", () => {
  test("is assigned to a user, and the list shows to whom", async () => {
    const { userId } = await server.newUser(["operator"], "Asha Rao");
    expect((await put("/api/failures/assignment", { ...HELD, to: userId })).status).toBe(204);
    const { assigned } = await list();
    expect(assigned).toMatchObject([
      { ...HELD, assigned_to: { name: "Asha Rao", is_active: true }, snooze: null },
    ]);
    const { json } = await operator.get("/api/payouts/HELD1");
    expect(json.assignment).toMatchObject({ assigned_to: null, group_assigned_to: "Asha Rao" });
    await put("/api/failures/assignment", { ...HELD, to: null });
    expect((await list()).assigned).toMatchObject([{ assigned_to: null }]);
  });

  test("notifies its assignee, as a payout does, but not a user who takes it", async () => {
    const asha = await server.newUser(["operator"], "Asha Notified");
    const inbox = async () => (await asha.get("/api/inbox")).json.items;
    await put("/api/failures/assignment", { ...HELD, to: asha.userId });
    await put("/api/payouts/HELD1/assignment", { to: asha.userId });
    expect(await inbox()).toMatchObject([
      { event: "assigned", title: "Assigned to you: payout HELD1", page: "/payouts/HELD1" },
      {
        event: "assigned",
        title: expect.stringMatching(
          /^Assigned to you: failure group \(on hold\): .* readable status/,
        ),
        page: "/failures",
      },
    ]);
    await put("/api/payouts/HELD1/assignment", { to: asha.userId });
    expect(await inbox(), "the assignee is the same").toHaveLength(2);
    const own = { body: { to: asha.userId } };
    expect((await asha.send("PUT", "/api/payouts/HELD2/assignment", own)).status).toBe(204);
    expect(await inbox()).toHaveLength(2);
  });

  test("is not reassigned unseen after another user took it meanwhile", async () => {
    const [asha, bala] = [await server.newUser(["operator"]), await server.newUser(["operator"])];
    const take = (to: string, from: string | null) =>
      put("/api/failures/assignment", { ...HELD, to, from });
    expect((await take(asha.userId, null)).status).toBe(204);
    const refused = await take(bala.userId, null);
    expect([refused.status, refused.json.code]).toEqual([409, "content_changed"]);
    expect((await list()).assigned[0].assigned_to.id).toBe(asha.userId);
    expect((await take(bala.userId, asha.userId)).status).toBe(204);
    expect((await put("/api/payouts/HELD1/assignment", { to: asha.userId })).status).toBe(204);
    const one = { to: null, from: bala.userId };
    expect((await put("/api/payouts/HELD1/assignment", one)).status).toBe(409);
  });

  test("is not assigned to a user who cannot see it", async () => {
    const { userId } = await server.newUser(["operator"]);
    await query(server.deps.databaseUrl, "update users set disabled_at = now() where id = $1", [
      userId,
    ]);
    const given = await put("/api/failures/assignment", { ...HELD, to: userId });
    expect([given.status, given.json.code]).toEqual([409, "user_disabled"]);
    const unknown = await put("/api/failures/assignment", { ...HELD, to: "US0" });
    const detail = expect.stringContaining("This user does not exist.");
    expect(unknown.json).toMatchObject({ code: "not_found", detail });
  });

  test("keeps its notes verbatim, with author and time", async () => {
    const text = '<img src=x onerror="alert(1)"> & "so"';
    await operator.post("/api/failures/notes", { ...HELD, text });
    const [{ comments }] = (await list()).assigned;
    expect(comments).toMatchObject([{ text, by: "operator" }]);
    const long = await operator.post("/api/failures/notes", { ...HELD, text: "x".repeat(1_001) });
    expect(long.json.code).toBe("invalid_request");
  });

  test("is refused when no payout has it", async () => {
    const cause = { state: "on_hold", reason: "amount_mismatch" };
    const { status, json } = await put("/api/failures/assignment", { ...cause, to: null });
    expect([status, json.detail]).toEqual([404, expect.stringContaining("no payout in this")]);
  });

  test("is shown with all its numbers while snoozed, and returns on its day", async () => {
    const before = await list();
    expect((await snoozed(2)).status).toBe(204);
    const after = await list();
    expect(after.assigned).toMatchObject([{ ...HELD, snooze: { by: "operator", ended_by: null } }]);
    expect(after.groups).toEqual(before.groups);
    expect(after.totals).toEqual(before.totals);
    await query(server.deps.databaseUrl, "update assignments set snoozed_until = now()", []);
    expect(await overOf()).toBe("day");
  });

  test("returns when another payout joins it, even where a filter leaves that payout out", async () => {
    await snoozed(2);
    expect(await overOf("?currency=INR")).toBe(null);
    const at = new Date(Date.now() - DAY_MS).toISOString();
    await query(
      server.deps.databaseUrl,
      `update payouts set updated_at = $1 where state = 'on_hold'`,
      [at],
    );
    await move("LATE1", "on_hold", "status_unanswered: said nothing");
    expect(await overOf()).toBe("change");
    const earlier = new Date(Date.now() - DAY_MS / 2).toISOString();
    expect(await overOf(`?changed_to=${earlier}`)).toBe("change");
  });

  test("does not hide payouts that joined after the list was read, whatever the clock says", async () => {
    const { at } = await list();
    await move("LATE1", "on_hold", "status_unanswered");
    await put("/api/failures/snooze", { ...HELD, until: inDays(1), seen_at: at });
    expect(await overOf()).toBe("change");
    await put("/api/failures/snooze", { ...HELD, until: inDays(1), seen_at: inDays(1) });
    await move("LATE1", "on_hold", "status_unanswered: again");
    expect(await overOf()).toBe("change");
  });

  test.each([
    ["for longer than 90 days", HELD, 91, "snooze_too_long"],
    ["until a past day", HELD, -1, "time_passed"],
    ["while payrun queries it", { state: "in_doubt", reason: "no_answer" }, 1, "wrong_state"],
  ])("is not snoozed %s", async (_what, cause, days, code) => {
    const body = { ...cause, until: inDays(days), seen_at: inDays(0) };
    expect((await put("/api/failures/snooze", body)).json.code).toBe(code);
  });
});

describe("a payout", () => {
  const seen = async () => (await operator.get("/api/payouts/HELD1")).json;
  /** As the list has it: a page requested again within a second is the previous one. */
  const changedAt = async () =>
    (await operator.get("/api/payouts?code=HELD1")).json.items[0].updated_at;
  const snooze = async (seen_at?: string) =>
    put("/api/payouts/HELD1/snooze", {
      until: inDays(1),
      seen_at: seen_at ?? (await changedAt()),
    });

  test("is assigned separately: its page, its history and the list show to whom", async () => {
    const { userId } = await server.newUser(["operator"], "Bala Iyer");
    await put("/api/payouts/HELD1/assignment", { to: userId });
    const { assignment, timeline } = await seen();
    expect(assignment).toMatchObject({ assigned_to: { name: "Bala Iyer" }, may_snooze: true });
    expect(timeline.at(-1)).toMatchObject({ title: "Assigned to Bala Iyer", actor: "operator" });
    const { payouts, payouts_total } = await list();
    expect(payouts_total).toBe(1);
    expect(payouts).toMatchObject([
      { code: "HELD1", currency: "INR", amount: "5.00", assigned_to: { name: "Bala Iyer" } },
    ]);
    expect((await list("?currency=THB")).payouts).toEqual([]);
  });

  test("returns from a snooze when it changes", async () => {
    expect((await snooze()).status).toBe(204);
    expect((await seen()).assignment.snooze).toMatchObject({ by: "operator", ended_by: null });
    expect((await list()).payouts[0].snooze.ended_by).toBe(null);
    await move("HELD1", "on_hold", "contradiction");
    expect((await list()).payouts[0].snooze.ended_by).toBe("change");
    await move("HELD1", "settled", null);
    expect(await list()).toMatchObject({ payouts: [], payouts_total: 0 });
  });

  test("is not snoozed when it changed since it was viewed", async () => {
    const updated_at = await changedAt();
    await move("HELD1", "on_hold", "contradiction");
    expect((await snooze(updated_at)).json.code).toBe("content_changed");
  });

  test.each(["FINE1", "LATE1"])(
    "is not assigned when it is settled or in progress: %s",
    async (code) => {
      const { json } = await put(`/api/payouts/${code}/assignment`, { to: null });
      expect(json.code).toBe("wrong_state");
    },
  );

  test("is assigned but never snoozed while in doubt", async () => {
    const { userId } = operator;
    expect((await put("/api/payouts/DOUBT1/assignment", { to: userId })).status).toBe(204);
    const body = { until: inDays(1), seen_at: inDays(0) };
    expect((await put("/api/payouts/DOUBT1/snooze", body)).json.code).toBe("wrong_state");
  });
});

test("downloads exactly the failures that the list shows by their assignments", async () => {
  const codesOf = async (search: string) => {
    const { text } = await operator.get(`/api/failures/file?${search}`);
    const [, ...lines] = text.trim().split("\n");
    return lines.map((line) => line.split(",")[0]);
  };
  await put("/api/payouts/DOUBT1/assignment", { to: operator.userId });
  await put("/api/failures/assignment", { ...HELD, to: operator.userId });
  expect(await codesOf("whose=me")).toEqual(["HELD2", "HELD1", "DOUBT1"]);
  expect(await codesOf("whose=nobody")).toEqual(["DOUBT1"]); // Its failure group is not assigned.
  await snoozed(2);
  expect(await codesOf("snoozed=hidden")).toEqual(["DOUBT1"]);
  expect(await codesOf("snoozed=shown")).toHaveLength(3);
  expect(await codesOf("")).toHaveLength(3);
});

test("never changes a payout, an alarm or a count by assigning or snoozing", async () => {
  const { databaseUrl } = server.deps;
  const everything = async () => ({
    payouts: await query(databaseUrl, "select * from payouts order by id", []),
    transitions: await query(databaseUrl, "select count(*) from transitions", []),
    held: (await operator.get("/api/operations")).json.on_hold,
    alarms: (await operator.get("/api/operations")).json.alarms,
  });
  const before = await everything();
  await put("/api/failures/assignment", { ...HELD, to: operator.userId });
  await snoozed(5);
  const { updated_at } = (await operator.get("/api/payouts?code=HELD1")).json.items[0];
  await put("/api/payouts/HELD1/snooze", { until: inDays(5), seen_at: updated_at });
  expect(await everything()).toEqual(before);
});

test("lists possible assignees by name only, to those who may assign", async () => {
  const { json } = await operator.get("/api/failures/people");
  expect(json.items.every((each: object) => Object.keys(each).join() === "id,name")).toBe(true);
  expect((await server.as("viewer").get("/api/failures/people")).status).toBe(403);
});

test("shows the assignee, the snooze and whether a worker runs in payrun payout show", async () => {
  const folder = scratch();
  const env = {
    ...FAST,
    DATABASE_URL: server.deps.databaseUrl,
    PAYRUN_DATA: folder,
    GATEWAY_URL: "http://127.0.0.1:9",
    MERCHANTS_FILE: merchantsFile(folder),
  };
  const { userId } = await server.newUser(["operator"], "Chitra Das");
  await put("/api/payouts/HELD2/assignment", { to: userId });
  const { updated_at } = (await operator.get("/api/payouts?code=HELD2")).json.items[0];
  const until = inDays(3);
  await put("/api/payouts/HELD2/snooze", { until, seen_at: updated_at });
  const { stdout } = await runHere(["payout", "show", "HELD2"], env);
  expect(stdout).toMatch(/assigned to +Chitra Das, snoozed until /);
  expect(stdout).toContain(`snoozed until ${until.slice(0, 16).replace("T", " ")} UTC by operator`);

  // No worker runs here: in-progress payouts wait, final ones are not affected.
  const standstill =
    "No worker is running. No payouts are being sent, and no statuses are being queried.";
  expect((await runHere(["payout", "show", "DOUBT1"], env)).stdout).toContain(standstill);
  expect((await runHere(["payout", "show", "FINE1"], env)).stdout).not.toContain(standstill);
});
