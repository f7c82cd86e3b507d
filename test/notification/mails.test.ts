import { expect, test } from "vitest";
import { type Notice, eventMail } from "#notification/events.ts";
import { EVENT_MAILS, type EventName } from "#notification/messages.ts";

const DESK = "https://payrun.example";
const CHANNEL =
  "An admin added this address as a notification channel. To change it, ask an admin to open Settings → Notifications in payrun.";

const notice = (event: EventName, object: string, facts: Notice["facts"]): Notice => ({
  id: "N1",
  event,
  object,
  facts,
  at: new Date("2026-11-25T10:00:00Z"),
});
const BATCH = {
  file: "salaries.csv",
  state: "awaiting_approval",
  rows: 1204,
  reason: null,
  totals: { INR: "12345678.50", KRW: "9000" },
};

test("writes a whole e-mail: event, amount, next step and link", () => {
  expect(eventMail(notice("batch_awaiting_approval", "B7K2", BATCH), DESK, null)).toEqual({
    subject: "payrun: Approval needed: salaries.csv",
    text: [
      "Hello,",
      "",
      'The batch "salaries.csv" is awaiting approval.',
      "",
      "Batch: B7K2",
      "Total: INR 1,23,45,678.50, KRW 9,000",
      "Payouts: 1,204",
      "Status: awaiting approval",
      "",
      "Next step: Review the batch, then approve it or send it back. payrun does not send any payouts in a batch before the batch is approved.",
      "",
      "Open in payrun: https://payrun.example/batches/B7K2",
      "",
      CHANNEL,
      "",
    ].join("\n"),
  });
});

test("names the problem of an alarm in the subject, and its code for the runbook", () => {
  const facts = { text: "2 payouts in doubt", since: "2026-11-25T09:44:12.123+00:00" };
  const { subject, text } = eventMail(
    notice("alarm_raised", "in_doubt_too_long", facts),
    null,
    null,
  );
  expect(subject).toBe("payrun: Alarm: 2 payouts in doubt");
  expect(text).toContain("Alarm code: in_doubt_too_long\nSince: 2026-11-25 09:44 UTC\n");
  expect(text).not.toContain("Open in payrun");
});

test("names the assignee in an e-mail to a channel, whose readers may be other people", () => {
  const facts = { file: "2 payouts", kind: "payout_action", assigned_to: "Dana", by: "Chen" };
  const { subject, text } = eventMail(notice("assigned", "A1", facts), DESK, null);
  expect(subject).toBe("payrun: Assigned: 2 payouts");
  expect(text).toContain("Someone assigned this to another user: 2 payouts.\n\n");
  expect(text).toContain("\nAssigned to: Dana\nBy: Chen\n");
  expect(text).toContain(`${DESK}/payout-actions/A1\n`);
});

test("tells the assignee in their own e-mail who assigned what, and how to turn such e-mails off", () => {
  const facts = { file: "2 payouts", kind: "payout_action", assigned_to: "Dana", by: "Chen" };
  const { subject, text } = eventMail(notice("assigned", "A1", facts), DESK, "US1");
  expect(subject).toBe("payrun: Assigned to you: 2 payouts");
  expect(text).toContain("Chen assigned this to you: 2 payouts.\n\n");
  expect(text).toContain("To stop e-mails about assignments, open your profile in payrun.");
  expect(text).not.toContain("An admin added this address");
});

test("keeps a file name with line breaks on one line", () => {
  const mail = eventMail(
    notice("batch_paused", "B1", { ...BATCH, file: "a\r\nBcc: x" }),
    DESK,
    null,
  );
  expect(mail.subject).toBe("payrun: Batch paused: a Bcc: x");
  expect(mail.text).toContain('The batch "a Bcc: x" was paused.');
});

test.each(Object.keys(EVENT_MAILS) as (keyof typeof EVENT_MAILS)[])(
  "shows no name of a field in the e-mail of %s",
  (event) => {
    const { text } = eventMail(
      notice(event, "B1", { ...BATCH, line: 3, schedule: "s" }),
      null,
      null,
    );
    expect(text).not.toMatch(/[a-z]_[a-z]|null|undefined|\[object/);
  },
);
