import type { ReactNode } from "react";
import { inLanguage } from "../../base/language.ts";

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
    needed: "You need a link",
    howToGet: (commandOf: (text: string) => ReactNode) => (
      <>
        You need a one-time link to sign in for the first time. payrun prints the first link where{" "}
        {commandOf("payrun serve")} was started. {commandOf("payrun user setup-link")} prints a new
        one. An admin invites all other users.
      </>
    ),
    firstAdmin:
      "You become the first admin. An admin invites other users and gives them roles, and cannot move money.",
    name: "Your name",
    submit: "Save and sign in",
  },

  signIn: {
    title: "Sign in",
    ended: "Your session has ended. Sign in to return to the page where you were.",
    submit: "Sign in",
    help: "You cannot sign in? Ask an admin for a new link.",
  },

  newPassword: {
    label: "New password",
    hint: "At least 15 characters. Several words are better than signs and digits.",
    problems: {
      too_short: "The password needs at least 15 characters.",
      too_long: "The password may have at most 128 characters.",
      too_plain:
        "The password repeats characters or follows their order. Use more different characters.",
      too_common: "The password is easy to guess. Use several unrelated words.",
      about_you: "The password contains your name or e-mail address.",
    },
  },

  profile: {
    title: "Your profile",
    person: (name = "", email = "", roles: readonly string[] = []) =>
      `${name}, ${email}. Roles: ${roles.join(", ")}.`,
    current: "Current password",
    change: "Change password",
    changed: "Your password is changed. All your other sessions have ended.",
    sessions: "Sessions",
    openSessions: "Your open sessions",
    browser: "Browser",
    address: "Address",
    seen: "Last seen",
    action: "Action",
    thisSession: "This session",
    end: "End",
    endOf: (browser: string) => `End the session in ${browser}`,
    program: "A program",
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  },

  secondFactor: {
    title: "Second factor",
    on: "On. payrun asks for a code from your authenticator app when you sign in and before actions that move money.",
    missing: (roles: readonly string[]) =>
      `Off. A second factor is required for your role ${roles.join(" and ")}. Until you turn it on, this role lets you only read. You need an authenticator app on your phone.`,
    off: "Off. With a second factor, your password alone is not enough to sign in.",
    signInAgain: "Sign in again",
    changeDevice: "Change device",
    turnOn: "Turn on",
    turnOff: "Turn off",
    scan: "Scan this QR code with your authenticator app, then enter the code that the app shows.",
    qrCode: "QR code with the secret; the same secret is written below",
    typeSecret: (secret: ReactNode) => <>Or enter this secret in the app: {secret}</>,
    recoveryTitle: "Save these recovery codes now: they are not shown again",
    recoveryText: "If you lose the device, you can sign in once with each code.",
  },
};

export const messages = inLanguage({ en });
