import type { ReactNode } from "react";
import { counted, inLanguage } from "../../../base/language.ts";

const people = {
  "1": "1: the uploader alone",
  "2": "2: the uploader and one approver",
  "3": "3: the uploader and two approvers",
};

const en = {
  close: "Close",
  copy: "Copy",
  copied: "Copied",

  tabs: {
    title: "Settings",
    users: "Users",
    keys: "API keys",
    approvalRules: "Approval rules",
    limits: "Payout limits",
    accounts: "Merchant accounts",
    notifications: "Notifications",
    roles: "Roles and permissions",
    archives: "Archives",
    retention: "Retention",
    erasures: "Erasure",
  },

  approvalRules: {
    title: "Approval rules",
    people,
    measures: { total: "the batch total", row: "a single payout" },
    everyBatch: "Every batch",
    peopleLabel: "People",
    isDefault: "Default: no admin has changed the rules yet.",
    validHours: "Approval validity (hours)",
    largeAmounts: "More people required for large amounts",
    explanation:
      "payrun applies the strictest matching rule. A large amount may be one payout or the sum of many, so you can set rules for both. Rules apply to batches uploaded after you save them.",
    rule: (number: number) => `Rule ${number}`,
    when: "When",
    above: "Is above",
    currency: "Currency",
    needs: "People required",
    remove: (number: number) => `Remove rule ${number}`,
    add: "Add a rule",
    save: "Save rules",
    saved: "The rules apply to batches uploaded from now on.",
    tried: "Effect on recent batches",
    unchanged: (batches: number) =>
      `These rules would not change the number of people required for the last ${counted(batches, "batch", "batches")}.`,
    changed: (changed: number, batches: number) =>
      `These rules would change the number of people required for ${changed} of the last ${counted(batches, "batch", "batches")}.`,
    triedCaption: "Recent batches under these rules",
    batch: "Batch",
    now: "Required",
    byRules: "Required under these rules",
    why: "Reason",
  },

  limits: {
    title: "Payout limits",
    scopes: {
      row: "one payout",
      batch: "all payouts in a batch",
      day: "all payouts approved in a day",
      beneficiary_day: "payouts to one account in a day",
      beneficiary_week: "payouts to one account in seven days",
      uploader_day: "one person's uploads in a day",
    },
    short: { warn: "warn the approvers", refuse: "block the approval" },
    section: "Limits on approved amounts",
    explanation: "An approved payout counts towards the limits until it is conclusively declined.",
    none: "There are no limits: approvers can approve any amount.",
    limit: (number: number) => `Limit ${number}`,
    scope: "Applies to",
    amount: "At most",
    currency: "Currency",
    above: "Above this amount",
    effects: {
      hard: "nobody can approve (hard limit)",
      soft: "one more approver is needed (soft limit)",
    },
    used: (left: string, used: string) => `${left} left now; ${used} used`,
    remove: (number: number) => `Remove limit ${number}`,
    duplicate:
      "Two limits have the same scope, currency and type. Remove one limit: each combination of scope and currency can have one hard limit and one soft limit.",
    add: "Add a limit",
    allLimits: "Time zone and balance",
    zone: "Time zone for daily limits",
    zoneHint: "Each day starts at midnight in this time zone.",
    whenShort: "If payrun cannot confirm that the balance covers a batch",
    save: "Save limits",
    saved: "The limits take effect with the next approval.",
  },

  fields: {
    amount: "such as 1000.50",
    amountError: "Enter an amount such as 1000.50",
    currency: "such as INR or USDT-TRC20",
    currencyError: "Enter a code such as INR or USDT-TRC20",
    anyCurrency: "any currency",
  },

  keys: {
    title: "API keys",
    create: "Create key",
    explanation:
      "Programs sign in with API keys. A key never has more permissions than its creator has at the time of the request. API keys cannot approve batches or manage users.",
    docs: "Read the API documentation",
    days: { "30": "30 days", "90": "90 days", "365": "one year" },
    scopes: {
      read: "read batches and payouts",
      upload: "upload files",
      collect: "request deposits from payers",
      operate:
        "pause and resume sending, and query the gateway; an admin must first confirm the key",
      reveal: "read full account numbers; an admin must first confirm the key",
      audit: "read the audit log",
    },
    states: {
      working: "active",
      unconfirmed: "awaiting confirmation by an admin",
      confirmation_expired: "not confirmed in time: create a new key",
      creator_disabled: "rejected: the key's creator is disabled",
      expired: "expired",
      revoked: "revoked",
    },
    keyOf: (name: string) => `Key for ${name}`,
    store: "Store the key where the program can read it. The key will not be shown again.",
    waits:
      " An admin other than the key's creator must confirm the key within three days. The key does not work until it is confirmed.",
    rotate: "Rotate",
    rotateLabel: (name: string) => `Rotate: ${name}`,
    rotateOf: (name: string) => `Rotate ${name}`,
    rotateEffect:
      "payrun creates a new key with the same permissions and validity. Both keys work until the old key expires. If an admin must confirm the new key, the new key does not work until it is confirmed, and the old key remains valid for three more days. To disable a leaked key immediately, revoke the key.",
    overlap: "The old key expires",
    overlaps: {
      "0": "immediately",
      "1": "after 1 hour",
      "24": "after 24 hours",
      "168": "after 7 days",
    },
    replaced: (at: ReactNode) => <>replaced by a new key; works until {at}</>,
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeEffect:
      "payrun will reject all requests made with this key. You cannot restore a revoked key.",
    revoke: "Revoke",
    revokeLabel: (name: string) => `Revoke: ${name}`,
    empty: "There are no API keys.",
    name: "Name",
    permissions: "Permissions",
    none: "none",
    lost: (scopes: readonly string[]) =>
      `Permissions lost: ${scopes.join(", ")}. The key's creator no longer has ${scopes.length > 1 ? "these permissions" : "this permission"}.`,
    state: "State",
    until: (at: ReactNode) => <>until {at}</>,
    createdBy: "Created by",
    you: "you",
    lastUsed: "Last used",
    expires: "Expires",
    action: "Action",
    program: "Key name",
    expiresAfter: "Expires after",
  },

  pending: {
    title: (count: number) => counted(count, "pending change", "pending changes"),
    link: "One-time link",
    linkHint:
      "Give the link only to the person it is for. It can be used once within 24 hours and will not be shown again.",
    loneAdmin:
      "You are the only admin who can sign in. A change that needs a second admin takes effect 24 hours after you propose it. Until then, you can withdraw it and any approver can reject it.",
    settingUp:
      "You are the only admin. Until another approver or admin has joined, your changes take effect immediately.",
    proposedBy: (name: string, at: ReactNode) => (
      <>
        Proposed by {name}, {at}.
      </>
    ),
    you: "you",
    linkFrom: (at: ReactNode) => (
      <>You can create the link after {at}, or as soon as another admin confirms the change.</>
    ),
    effectiveFrom: (at: ReactNode) => (
      <>The change takes effect {at}, or as soon as another admin confirms it.</>
    ),
    confirmBy: (isKey: boolean, at: ReactNode) => (
      <>
        {isKey
          ? "An admin other than the key's creator must confirm the key"
          : "Another admin must confirm the change"}{" "}
        by {at}.
      </>
    ),
    confirm: "Confirm",
    makeChange: "Apply change",
    withdraw: "Withdraw",
    reject: "Reject",
    labelOf: (verb: string, change: string) => `${verb}: ${change}`,
    secondAdminNeeded:
      "Not changed yet: another admin must confirm the change. They see it on Home and in Settings. If the change creates a link, it appears to them.",
    loneAdminWaits:
      "Not changed yet: you are the only admin, so the change will take effect in 24 hours.",
  },

  roles: {
    title: "Roles and permissions",
    explanation:
      "Actions not listed here are denied to everyone. Nobody can approve a batch they uploaded or edited, whatever their roles. API keys cannot approve batches or manage users.",
    caption: "Permissions by role",
    operations: "API operations by permission",
    permission: "Permission",
    yes: "yes",
    permissions: {
      read: "See batches and payouts",
      upload: "Upload and correct files",
      collect: "Request deposits from payers",
      approve: "Approve batches uploaded by others",
      operate: "Pause and resume sending, and query the gateway",
      reveal: "See full account numbers",
      audit: "Read the audit log",
      administer: "Manage users, rules and keys",
    },
    count: (permission: string, operations: number) => `${permission} (${operations})`,
    stepUp: (operation: string) =>
      `${operation} – asks for your password or a code if the last one is older than five minutes`,
    label: "Roles",
    hint: "Nobody can approve a batch they uploaded, even with both the uploader and approver roles.",
    does: {
      viewer: "sees batches and payouts",
      uploader: "uploads and corrects files, and requests deposits; cannot approve batches",
      approver: "approves batches uploaded by others; sees full account numbers",
      operator:
        "pauses and resumes lanes and batches, queries the gateway and resolves payouts; sees full account numbers",
      auditor: "reads the audit log; sees full account numbers",
      admin: "manages users, rules and keys; cannot move money",
    },
  },

  unsaved: "Unsaved changes",

  secondFactor: {
    title: "Second factor",
    none: "No role requires a second factor",
    noneHint:
      "Without a second factor, a stolen password is enough to approve batches or manage users. Select the approver and admin roles, then save.",
    label: "Roles that require a second factor",
    hint: "Users with these roles have read-only access until they set up a second factor. Approvals given without a second factor are no longer valid.",
    removing: "Removing a role requires confirmation by a second admin.",
    save: "Save roles",
    saved: "The roles that require a second factor have been saved.",
  },

  users: {
    title: "Users",
    invite: "Invite user",
    states: { active: "Active", invited: "Invited", disabled: "Disabled" },
    linkFor: (name: string) => `Link for ${name}`,
    linkHint:
      "Give the link only to this person. It can be used once within 24 hours and will not be shown again.",
    rolesOf: (name: string) => `Roles for ${name}`,
    caption: "All users",
    name: "Name",
    roles: "Roles",
    state: "State",
    secondFactor: "Second factor",
    on: "On",
    off: "Not set up",
    setUp: "Set up",
    requireFactor: "Require for a role",
    lastSeen: "Last seen",
    actions: "Actions",
    you: "This is you. Only another admin can change your roles.",
    enable: "Enable",
    changeRoles: "Change roles",
    moreActions: "More actions",
    never: "Never",
    resetPassword: "Reset password",
    disable: "Disable",
    labelOf: (verb: string, name: string) => `${verb}: ${name}`,
    createInvitation: "Create invitation link",
    createPasswordLink: "Create password link",
    email: "E-mail",
    saveRoles: "Change roles",
    sessionsEnd: "The user will be signed out of all sessions and will have only the new roles.",
    disableTitle: (name: string) => `Disable ${name}`,
    disableEffect:
      "The user will be signed out immediately and will no longer be able to sign in. Their name will remain in records of their actions.",
    resetPasswordTitle: (name: string) => `Reset the password of ${name}`,
    newInvitationTitle: (name: string) => `New invitation link for ${name}`,
    resetPasswordEffect:
      "The user can choose a new password with this link. Earlier links will no longer be valid.",
    dropSecondFactor: "Also remove the user's second factor",
  },
};

export const messages = inLanguage({ en });
