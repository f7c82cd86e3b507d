import type { ReactNode } from "react";
import { counted } from "../../../base/language.ts";

/** The English texts of the page Notifications. */
export const notifications = {
  title: "Notifications",
  explanation:
    "payrun notifies these channels when the state of a batch changes or a person must act. Messages contain no account numbers.",
  noMail: "No mail server is configured",
  noMailHint: "Set SMTP_URL and MAIL_FROM where payrun runs to send e-mail.",
  secret: "Secret of the webhook",
  secretHint:
    "payrun signs the messages with this secret (Standard Webhooks). It is not shown again.",
  channels: "Channels",
  noChannels: "payrun sends no notifications, because there are no channels.",
  log: "Delivery log",
  deliveries: "Deliveries",
  noDeliveries: "No notifications have been sent yet.",
  states: { waiting: "waiting", delivered: "delivered", given_up: "given up" },
  add: "Add channel",
  removeTitle: (name: string) => `Remove ${name}`,
  removeEffect:
    "payrun sends no more notifications to this channel and gives up the waiting ones. The delivery log stays.",
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
  lastAnswer: "Last answer",
  noAnswer: "none yet",
  at: "Time",
  action: "Action",
  sendAgain: "Send again",
  sendAgainLabel: (event: string, channel: string) => `Send again: ${event} to ${channel}`,
  kind: "Type",
  email: "E-mail",
  webhook: "Webhook",
  emailAddress: "E-mail address",
  webhookAddress: "Address, https://…",
};
