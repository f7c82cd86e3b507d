import type { ReactNode } from "react";
import { inLanguage } from "../base/language.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const en = {
  skip: "Skip to content",
  menu: "Menu",
  closeMenu: "Close menu",
  navigation: "Main",
  more: "More",
  groups: { work: null, money: "Money", run: "Monitoring", foot: null },
  brand: "payrun",
  forYou: " for you",

  pages: {
    home: "Home",
    upload: "Upload",
    batches: "Batches",
    approvals: "Approvals",
    schedules: "Schedules",
    payouts: "Payouts",
    deposits: "Deposits",
    reconciliation: "Reconciliation",
    reports: "Reports",
    failures: "Failures",
    operations: "Operations",
    audit: "Audit log",
    settings: "Settings",
  },

  environments: {
    live: { name: "LIVE", meaning: "real money" },
    sandbox: { name: "SANDBOX", meaning: "test gateway: no real money moves" },
    simulated: { name: "SANDBOX", meaning: "simulated gateway: no real money moves" },
  },

  gateway: {
    label: "Sending: ",
    states: {
      idle: "idle",
      sending: "active",
      slow: "slow",
      partly_stopped: "some lanes stopped",
      paused: "paused",
      stopped: "stopped",
      unknown: "unknown",
    },
    since: (at: ReactNode) => <> Since {at}.</>,
    silent: "The server is not responding, so payrun cannot show whether payouts are being sent.",
    lastAnswer: (at: ReactNode) => <> The server last responded {at}.</>,
  },

  idle: {
    title: "payrun is not sending payouts or querying the gateway",
    since: (at: ReactNode) => <> (since {at})</>,
    effect: "Every payout is shown in its last known state.",
  },

  secondFactor: (roles: readonly string[], link: LinkOf) => (
    <>
      Your {roles.join(" and ")} {roles.length === 1 ? "role requires" : "roles require"} a second
      factor. Until you set it up, you have read-only access with{" "}
      {roles.length === 1 ? "this role" : "these roles"}. {link("Set up a second factor")}
    </>
  ),

  clock: {
    explained: (time: string) =>
      `Server time: ${time}. All times are in this time zone, which you can change in your profile.`,
    differs: (difference: string) => ` Your computer's clock is ${difference}.`,
    warning: (difference: string) => `your computer's clock is ${difference}`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    ahead: (time: string) => `${time} ahead`,
    behind: (time: string) => `${time} behind`,
  },

  theme: { light: "Light theme", dark: "Dark theme" },

  userMenu: {
    profile: "Your profile",
    keys: "Your API keys",
    shortcuts: "Keyboard shortcuts",
    signOut: "Sign out",
  },

  notFound: {
    title: "Page not found",
    text: (link: LinkOf) => (
      <>The address may be mistyped, or the page may no longer exist. {link("Go to Home")}</>
    ),
  },

  search: {
    label: "Search payouts, batches, pages and actions",
    key: "Ctrl K",
    keyMac: "⌘K",
  },
};

export const messages = inLanguage({ en });
