import type { API } from "#api/api.ts";
import { inLanguage } from "../base/language.ts";

/** The actions that need the password or a code, for the title of the dialog. */
const actions: Partial<Record<keyof typeof API, string>> = {
  "POST /api/batches/:id/approve": "approve the batch",
  "POST /api/batches/:id/release-quarantine": "release the batch from quarantine",
  "POST /api/batches/:id/send-now": "send the batch now",
  "PUT /api/approval-rules": "change the approval rules",
  "PUT /api/payout-limits": "change the payout limits",
  "POST /api/payouts/:code/resolution": "decide on the recorded result of the payout",
  "POST /api/payouts/:code/wait-ending": "decide on the end of the wait",
  "POST /api/payout-actions/:id/confirm": "confirm the change to the payouts",
  "POST /api/payout-actions/:id/reject": "reject the change to the payouts",
  "POST /api/deposits/:code/resolution": "decide on the recorded result of the deposit",
  "POST /api/operations/unfreeze": "unfreeze the ledger",
  "POST /api/erasures/:id/decide": "decide on the erasure",
  "PUT /api/retention": "change how long data is kept",
  "POST /api/channels": "add a notification channel",
  "PUT /api/channels/:id": "change the notification channel",
  "DELETE /api/channels/:id": "remove the notification channel",
  "POST /api/pending-changes": "request the change to the user",
  "POST /api/pending-changes/:id/confirm": "confirm the change to the user",
  "POST /api/users": "add a user",
  "PUT /api/users/:id/roles": "change the roles of the user",
  "POST /api/users/:id/enable": "enable the user",
  "POST /api/users/:id/link": "create a sign-in link",
  "POST /api/keys": "create an API key",
  "POST /api/keys/:id/rotate": "rotate the API key",
  "POST /api/profile/totp": "set up a second factor",
  "POST /api/profile/totp/confirm": "set up a second factor",
  "DELETE /api/profile/totp": "remove the second factor",
  "PUT /api/second-factor-policy": "change who needs a second factor",
};

/** Texts of dialogs that the first page does not load. */
const en = {
  shortcuts: {
    title: "Keyboard shortcuts",
    switch: "Single-letter shortcuts",
    switchHint: "This setting applies to this browser. Ctrl K and Enter always work.",
    search: "Search and commands, same as Ctrl K",
    rows: "Next or previous row in a list",
    findings: "Next or previous row with a finding",
    help: "Show keyboard shortcuts",
    close: "Close",
  },

  stepUp: {
    title: (action: string) => `Confirm: ${action}`,
    untitled: "Confirm your action",
    actions,
    whyPassword:
      "Other people could use your open browser. Enter your password again to confirm the action.",
    whyCode: "Other people could use your open browser. Enter a new code to confirm the action.",
    code: "Code",
    codeHint: "From your authenticator app, or a recovery code",
    password: "Password",
    cancel: "Go back",
    confirm: "Continue",
    close: "Close",
  },
};

export const dialogMessages = inLanguage({ en });
