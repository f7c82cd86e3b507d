/**
 * Messages about users, API keys, second factors and the approval rules, from lines of the audit
 * log.
 */

import { timeText } from "#base/time-text.ts";
import { MAIL_FRAME } from "#notification/messages.ts";

/** The audit actions that cause a message, with the subject of its e-mail. */
// biome-ignore format: the table is easier to read in columns
export const PEOPLE_ACTIONS = {
  setup_link:           "Link created for the first admin",
  invite:               "User invited",
  invite_link:          "New link created for a user",
  reset_link:           "New link created for a user",
  join:                 "Password set with a link",
  roles:                "Roles changed",
  disable:              "User disabled",
  enable:               "User enabled",
  approval_rules:       "Approval rules changed",
  payout_limits:        "Payout limits changed",
  money_limits:         "Payout limits changed", // in lines from before migration 0055
  second_factor_policy: "Roles that require a second factor changed",
  retention_policy:     "Retention rules changed",
  key_create:           "API key created",
  key_confirm:          "API key confirmed",
  key_rotate:           "API key rotated",
  key_revoke:           "API key revoked",
  totp_on:              "Second factor set up",
  totp_off:             "Second factor removed",
  password:             "Password changed",
  recovery_code_used:   "Recovery code used",
  propose_change:       "Change proposed",
  confirm_change:       "Change confirmed",
  withdraw_change:      "Change rejected or withdrawn",
  apply_change:         "Change took effect",
  void_change:          "Change voided",
} as const;
export type PeopleAction = keyof typeof PEOPLE_ACTIONS;

/** A line of the audit log, with the names of everything that it mentions by ID. */
export interface PeopleEvent {
  readonly action: PeopleAction;
  /** An ISO time. */
  readonly at: string;
  readonly by: string;
  /** The ID of the user who did it. Null: not a user of the dashboard. */
  readonly byId: string | null;
  /** The user whose account, role, key or factor is concerned. Null: no single user. */
  readonly person: string | null;
  readonly isOwn: boolean;
  /** The name of the key. Null: the line is not about a key. */
  readonly key: string | null;
  /** The proposed change. Null: the line is not about one. */
  readonly change: ProposedChange | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface ProposedChange {
  readonly terms: Readonly<Record<string, unknown>>;
  readonly proposer: string;
  readonly isOwn: boolean;
  /** An ISO time. Null: the change takes effect only when another admin confirms it. */
  readonly takesEffectAt: string | null;
}

/** Returns the facts of a message. Programs and e-mails use the facts. */
export function peopleFacts(line: PeopleEvent): Readonly<Record<string, unknown>> {
  const { action, at, by, byId, person, change, facts } = line;
  return {
    action,
    text: SENTENCES[action](line),
    by,
    by_id: byId,
    person,
    time: at,
    address: textOf(facts["address"]) || null,
    takes_effect_at: action === "propose_change" ? (change?.takesEffectAt ?? null) : null,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): string =>
  Array.isArray(value) && value.length > 0 ? value.join(", ") : "none";
const utc = (iso: unknown): string => timeText(textOf(iso));
const personOf = ({ person }: PeopleEvent): string => person ?? "a user";
const whose = (line: PeopleEvent): string => (line.isOwn ? "their own" : `${personOf(line)}'s`);

const linkSays = (line: PeopleEvent): string =>
  `${line.by} created a new link that lets ${personOf(line)} set a password.${
    line.facts["totp"] === false
      ? " This removed that user's second factor and ended all of their sessions."
      : ""
  }`;

const JOINED: Readonly<Record<string, string>> = {
  setup: "set up payrun and is the first admin",
  invite: "accepted the invitation and chose a password",
};

/** Says that a new key needs a confirmation. */
const waitSays = (facts: PeopleEvent["facts"]): string =>
  facts["waits"] === true ? " It will not work until an admin confirms it." : "";

const SENTENCES: Readonly<Record<PeopleAction, (line: PeopleEvent) => string>> = {
  setup_link: ({ by }) => `${by} created a link for the first admin to sign up.`,
  invite: (line) =>
    `${line.by} invited ${personOf(line)} with the roles: ${listOf(line.facts["roles"])}.`,
  invite_link: linkSays,
  reset_link: linkSays,
  join: ({ by, facts }) =>
    `${by} ${JOINED[textOf(facts["by"])] ?? "used a link to set a new password"}.`,
  roles: (line) =>
    `${line.by} changed ${whose(line)} roles from ${listOf(line.facts["before"])} to ${listOf(line.facts["after"])}.`,
  disable: (line) => `${line.by} disabled ${personOf(line)}.`,
  enable: (line) => `${line.by} enabled ${personOf(line)} again.`,
  approval_rules: ({ by }) => `${by} changed the approval rules.`,
  payout_limits: limitsSays,
  money_limits: limitsSays,
  second_factor_policy: ({ by, facts }) =>
    `${by} changed the roles that require a second factor from ${listOf(facts["before"])} to ${listOf(facts["after"])}.`,
  retention_policy: ({ by }) => `${by} changed the retention rules.`,
  key_create: ({ by, key, facts }) =>
    `${by} created the API key "${key}" with the scopes: ${listOf(facts["scopes"])}.${waitSays(facts)}`,
  key_confirm: (line) =>
    `${line.by} confirmed ${whose(line)} API key "${line.key}". It can now be used.`,
  key_rotate: ({ by, key, facts }) =>
    `${by} replaced the API key "${key}" with a new one.${waitSays(facts)} The old key will expire after an overlap period.`,
  key_revoke: (line) => `${line.by} revoked ${whose(line)} API key "${line.key}".`,
  totp_on: ({ by, facts }) =>
    facts["replaced"] === true
      ? `${by} replaced their second factor.`
      : `${by} set up a second factor.`,
  totp_off: (line) => `${line.by} removed ${whose(line)} second factor.`,
  password: ({ by }) => `${by} changed their password.`,
  recovery_code_used: ({ by }) => `${by} used a recovery code instead of the authenticator app.`,
  propose_change: (line) =>
    `${line.by} proposed a change: ${changeSays(line)}. ${
      line.change?.takesEffectAt
        ? `It will take effect at ${utc(line.change.takesEffectAt)} unless an approver or admin rejects it.`
        : "It will take effect when another admin confirms it."
    }`,
  confirm_change: (line) =>
    `${line.by} confirmed a change proposed by ${proposerOf(line)}: ${changeSays(line)}.`,
  withdraw_change: (line) =>
    line.change?.isOwn
      ? `${line.by} withdrew their proposed change: ${changeSays(line)}.`
      : `${line.by} rejected a change proposed by ${proposerOf(line)}: ${changeSays(line)}.`,
  apply_change: (line) =>
    `A change proposed by ${proposerOf(line)} took effect after 24 hours: ${changeSays(line)}.`,
  void_change: (line) =>
    `A change proposed by ${proposerOf(line)} became void because it can no longer be applied: ${changeSays(line)}.`,
};

function limitsSays({ by }: PeopleEvent): string {
  return `${by} changed the payout limits.`;
}

const proposerOf = ({ change }: PeopleEvent): string => change?.proposer ?? "an admin";

function changeSays(line: PeopleEvent): string {
  const terms = line.change?.terms ?? {};
  switch (terms["kind"]) {
    case "approval_rules":
      return "new approval rules";
    case "payout_limits":
      return "new payout limits";
    case "second_factor_policy":
      return `require a second factor for the roles: ${listOf(terms["roles"])}`;
    case "retention":
      return "new retention rules";
    case "detach_archive":
      return `remove the rows of archive ${textOf(terms["archive_id"])} from the ledger`;
    case "invite":
      return `invite ${textOf(terms["name"])} (${textOf(terms["email"])}) with the roles: ${listOf(terms["roles"])}`;
    case "roles":
      return `give ${personOf(line)} the roles: ${listOf(terms["roles"])}`;
    case "enable":
      return `enable ${personOf(line)} again`;
    case "link":
      return `create a new link for ${personOf(line)}${terms["drop_totp"] === true ? " and remove their second factor" : ""}`;
    case "key":
      return `activate the API key "${textOf(terms["name"])}" with the scopes: ${listOf(terms["scopes"])}`;
    default:
      return textOf(terms["kind"]);
  }
}

/** Returns the page of the dashboard that shows the subject. */
export function peoplePage({ action }: Readonly<Record<string, unknown>>): string {
  const name = textOf(action);
  if (name === "propose_change") return "/approvals";
  if (name === "approval_rules") return "/settings/approval-rules";
  if (name === "payout_limits" || name === "money_limits") return "/settings/limits";
  return name.startsWith("key_") ? "/settings/keys" : "/settings/users";
}

/** @param userId the user whose own address receives it. Null: a channel. */
export function peopleMail(
  facts: Readonly<Record<string, unknown>>,
  { desk, userId }: { readonly desk: string | null; readonly userId: string | null },
): { subject: string; text: string } {
  const isOwn = userId !== null && facts["by_id"] === userId;
  const address = textOf(facts["address"]);
  const until = textOf(facts["takes_effect_at"]);
  const lines = [
    MAIL_FRAME.greeting,
    "",
    textOf(facts["text"]),
    "",
    `Changed by: ${textOf(facts["by"])}`,
    `Time: ${utc(facts["time"])}`,
    ...(address === "" ? [] : [`IP address: ${address}`]),
    "",
    ...(until === ""
      ? []
      : [
          `If this change is wrong, reject it before ${utc(until)}. Approvers can find it on the Approvals page, and admins under Settings.`,
        ]),
    isOwn
      ? "If this was not you, change your password and your second factor on your profile page, and end your other sessions. If you cannot sign in, ask an admin to disable your account immediately."
      : "If you did not expect this change, ask the person named above. If they did not make it, ask an admin to disable their account immediately.",
    ...(desk === null
      ? []
      : ["", `${MAIL_FRAME.link}: ${desk}${isOwn ? "/profile" : peoplePage(facts)}`]),
    "",
  ];
  const subject = PEOPLE_ACTIONS[facts["action"] as PeopleAction];
  return { subject: `payrun: ${subject}`, text: lines.join("\n") };
}
