import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

const en = {
  brand: "payrun",
  email: "E-mail",
  password: "Password",
  code: "Code",
  codeHint: "From your authenticator app, or a recovery code",

  link: {
    titles: {
      setup: "Set up payrun",
      invite: "Welcome to payrun",
      reset: "Choose a new password",
    },
    notValid: "This link is not valid",
    askForNew: "Ask an admin for a new link.",
    loading: "Checking the link",
    needed: "You need a sign-in link",
    howToGet: (commandOf: (text: string) => ReactNode) => (
      <>
        You need a one-time link to sign in for the first time. payrun prints the first link in the
        output of {commandOf("payrun serve")}. To print a new one, run{" "}
        {commandOf("payrun user setup-link")}. All other users are invited by an admin.
      </>
    ),
    firstAdmin:
      "You will become the first admin. Admins invite other users and assign roles, but cannot move money.",
    name: "Your name",
    submit: "Save and sign in",
  },

  offer: {
    title: "Turn on a second factor",
    why: "With a second factor, your password alone is not enough to sign in. You need an authenticator app on your phone. You can also turn it on later on your profile.",
    required: (roles: readonly string[]) =>
      `${roles.length === 1 ? `Your ${roles.join("")} role requires` : `Your ${roles.join(" and ")} roles require`} a second factor. You need an authenticator app on your phone.`,
    setUp: "Set up",
    skip: "Skip for now",
    done: "The second factor is on",
    proceed: "Continue",
  },

  signIn: {
    title: "Sign in",
    ended: "Your session has ended. Sign in to return to the page you were on.",
    submit: "Sign in",
    help: "Trouble signing in? Ask an admin for a new link.",
  },

  newPassword: {
    label: "New password",
    hint: "At least 15 characters. Several words are better than symbols and digits.",
    problems: {
      too_short: "The password must be at least 15 characters long.",
      too_long: "The password must be at most 128 characters long.",
      too_plain:
        "The password repeats characters or uses them in sequence. Use a wider variety of characters.",
      too_common: "The password is easy to guess. Use several unrelated words.",
      about_you: "The password contains your name or e-mail address.",
    },
    missing: (count: number) => `${counted(count, "more character", "more characters")} needed`,
    checking: "Checking the password…",
    strong: "The password is strong enough.",
  },

  profile: {
    mails: "E-mails",
    mailsAssignments: "Send me an e-mail when someone assigns something to me",
    mailsAssignmentsHint: "Applies to payouts, failures and breaks. Requires a mail server.",
    display: "Display",
    timeZone: "Time zone",
    timeZoneHint:
      "All times of the dashboard use it. Business days keep the zone of their merchant account.",
    browserZone: "Use the browser's time zone",
    compactRows: "Compact table rows",
    compactRowsHint: "This setting applies to this browser.",
    title: "Your profile",
    person: (name = "", email = "", roles: readonly string[] = []) =>
      `${name}, ${email}. Roles: ${roles.join(", ")}.`,
    current: "Current password",
    change: "Change password",
    changed: "Your password has been changed. All your other sessions have ended.",
    sessions: "Sessions",
    openSessions: "Your active sessions",
    browser: "Browser",
    address: "Address",
    seen: "Last seen",
    action: "Action",
    thisSession: "This session",
    end: "End",
    endOf: (browser: string) => `End the session in ${browser}`,
    program: "an unknown browser",
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  },

  secondFactor: {
    title: "Second factor",
    on: "On. payrun asks for a code from your authenticator app when you sign in and before actions that move money.",
    missing: (roles: readonly string[]) =>
      `Off. ${roles.length === 1 ? `Your ${roles.join("")} role requires` : `Your ${roles.join(" and ")} roles require`} a second factor. Until you turn it on, ${roles.length === 1 ? `your ${roles.join("")} role gives` : "these roles give"} you read-only access. You need an authenticator app on your phone.`,
    off: "Off. With a second factor, your password alone is not enough to sign in.",
    signInAgain: "Sign in again",
    changeDevice: "Change device",
    turnOn: "Turn on",
    turnOff: "Turn off",
    scan: "Scan this QR code with your authenticator app, then enter the code that the app shows.",
    qrCode: "QR code containing the secret, which is also shown below",
    typeSecret: (secret: ReactNode) => <>Or enter this secret in the app: {secret}</>,
    recoveryTitle: "Save these recovery codes now: they will not be shown again",
    recoveryText: "If you lose your device, you can use each code once to sign in.",
    copyCodes: "Copy codes",
    codesCopied: "Codes copied",
    downloadCodes: "Download codes",
  },
};

export const messages = inLanguage({ en });
