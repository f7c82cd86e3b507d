import type { ReactNode } from "react";
import { counted } from "../../../base/language.ts";

/** The English texts of the page Notifications. */
export const notificationMessages = {
  title: "Notifications",
  explanation:
    "payrun notifies these channels when a batch changes state or someone must act. Messages do not contain account numbers.",
  noMail: "No mail server is configured",
  noMailHint: "To send e-mail, set SMTP_URL and MAIL_FROM in payrun's environment.",
  secret: "Webhook secret",
  secretHint:
    "payrun signs the messages with this secret (Standard Webhooks). The secret will not be shown again.",
  channels: "Channels",
  noChannels: "payrun is not sending notifications because there are no channels.",
  log: "Delivery log",
  deliveries: "Deliveries",
  noDeliveries: "No notifications have been sent yet.",
  states: { waiting: "waiting", delivered: "delivered", given_up: "not delivered" },
  add: "Add channel",
  removeTitle: (name: string) => `Remove ${name}`,
  removeEffect:
    "payrun will stop sending notifications to this channel and will not deliver any that are still waiting. The delivery log will be retained.",
  remove: "Remove",
  removeLabel: (name: string) => `Remove: ${name}`,
  name: "Name",
  target: (kind: "email" | "webhook", target: string) =>
    `${kind === "email" ? "e-mail" : "webhook"} ${target}`,
  events: "Events",
  state: "State",
  failing: "failing: see the delivery log",
  working: "active",
  actions: "Actions",
  test: "Test",
  testLabel: (name: string) => `Test: ${name}`,
  event: "Event",
  channel: "Channel",
  attempts: (count: number) => `, ${counted(count, "attempt", "attempts")}`,
  next: (at: ReactNode) => <>next {at}</>,
  lastAnswer: "Last response",
  noAnswer: "none yet",
  at: "Time",
  action: "Action",
  sendAgain: "Send again",
  sendAgainLabel: (event: string, channel: string) => `Send again: ${event} to ${channel}`,
  groups: {
    batches: "Batches",
    schedules: "Schedules",
    operations: "Operations",
    people: "People and audit",
    payouts: "Single payouts and breaks",
  },
  payload: (event: string) => `Example payload: ${event}`,
  kind: "Type",
  email: "E-mail",
  webhook: "Webhook",
  emailAddress: "E-mail address",
  webhookAddress: "URL",
  webhookHint:
    "An address on the internet that starts with https://. payrun calls other addresses only if WEBHOOK_ALLOW_PRIVATE is set.",
  addressRefused: (why: string) => `payrun cannot send messages to this address: ${why}.`,
};
