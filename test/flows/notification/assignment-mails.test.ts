/** A user gets an e-mail about what somebody else assigned to them, unless they turned it off. */
import { beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { notify } from "#flows/notification/notify.ts";
import {
  createAssignmentNotice,
  type MadeAssignment,
} from "#ledger/notification/assignment-notices.ts";
import { markNoticesRead } from "#ledger/notification/inbox.ts";
import { insertUser, setPreferences } from "#ledger/people/users.ts";
import type { Mailer } from "#notification/mail.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let dana: string;
const mails: { to: string; subject: string; text: string }[] = [];
const mailer: Mailer = {
  async send(to, mail) {
    mails.push({ to, ...mail });
    return { ok: true, says: "250 taken" };
  },
};

beforeEach(async () => {
  open = await openTestLedger();
  mails.length = 0;
  const user = { email: "dana@payrun.test", name: "Dana Lee", roles: ["operator" as const] };
  dana = await insertUser(open.database, { ...user, at: new Date() });
  return () => open.close();
});

const round = (server: Mailer | null = mailer) =>
  notify({
    ledger: open.ledger,
    clock: systemClock,
    alarms: async () => [],
    mailer: server,
    webhooks: { allowPrivate: true, timeoutMs: 5_000 },
    dashboardUrl: "https://desk.example",
  });
const assign = (change: Partial<MadeAssignment> = {}) =>
  createAssignmentNotice(open.database, {
    kind: "payout_action",
    object: "A1",
    what: "25 payouts",
    to: `user:${dana}`,
    actor: "user:US1",
    at: new Date(),
    ...change,
  });

test("e-mails an assignment of many payouts once to the assignee", async () => {
  await assign();
  await round();
  await round();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    to: "dana@payrun.test",
    subject: "payrun: Assigned to you: 25 payouts",
  });
  expect(mails[0]?.text).toContain("https://desk.example/payout-actions/A1");
  // An e-mail is not a channel that lists or settings show.
  expect(await query(open.url, "select events from channels")).toEqual([{ events: [] }]);
});

test("sends no e-mail about an assignment to oneself, one that was read, or without a mail server", async () => {
  await assign({ actor: `user:${dana}` });
  await assign({ object: "A2" });
  await round(null);
  expect(mails).toEqual([]);
  const notices = await query(open.url, "select notice_id from inbox");
  await markNoticesRead(
    open.database,
    dana,
    notices.map(({ notice_id: id }) => String(id)),
  );
  await round();
  expect([notices.length, mails]).toEqual([1, []]);
});

test("sends no e-mail to a user who turned e-mails about assignments off", async () => {
  await setPreferences(open.database, dana, { mailsAssignments: false });
  await assign();
  await round();
  expect(mails).toEqual([]);
  await setPreferences(open.database, dana, { mailsAssignments: true });
  await round();
  expect(mails).toHaveLength(1);
});
