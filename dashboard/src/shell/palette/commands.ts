import {
  Banknote,
  BookOpen,
  CalendarCheck,
  CalendarPlus,
  CircleUser,
  FileUp,
  HandCoins,
  KeyRound,
  type LucideIcon,
  Pause,
  Scale,
  Settings,
  UserPlus,
} from "lucide-react";
import { SETTINGS_TABS } from "../../pages/people/settings/settings-tabs.ts";
import type { Permission } from "../../server/session.ts";
import { messages } from "./messages.ts";

const { actions, pages, profile, settingsPage } = messages;

/** A page or an action that the command palette lists. */
export interface Command {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Other words by which it is found. */
  readonly keywords?: string;
  /** The address that it opens, or the function that it runs. */
  readonly run: string | (() => void);
}

type Guarded = Command & { readonly may: Permission };

/** Actions that start on a page, with the permission that each requires. */
// biome-ignore format: the columns are the point
const ACTIONS: readonly Guarded[] = [
  { ...actions.upload, icon: FileUp, run: "/upload", may: "upload" },
  { ...actions.schedule, icon: CalendarPlus, run: "/schedules#new", may: "upload" },
  { ...actions.deposit, icon: HandCoins, run: "/deposits/new", may: "collect" },
  { ...actions.pause, icon: Pause, run: "/operations?tab=lanes", may: "operate" },
  { ...actions.invite, icon: UserPlus, run: "/settings/users#invite", may: "administer" },
  { ...actions.statement, icon: Scale, run: "/reconciliation/upload", may: "operate" },
  { ...actions.key, icon: KeyRound, run: "/settings/keys", may: "read" },
];

/** Pages that the rail does not link to. */
const MORE_PAGES: readonly Guarded[] = [
  ...SETTINGS_TABS.map(({ to, label, may }) => ({
    label: settingsPage(label),
    icon: Settings,
    run: to,
    may,
  })),
  { ...pages.close, icon: CalendarCheck, run: "/reconciliation/days", may: "read" },
  { ...pages.settled, icon: Banknote, run: "/payouts?state=settled", may: "read" },
  { ...pages.declined, icon: Banknote, run: "/payouts?state=declined", may: "read" },
  { ...pages.onHold, icon: Banknote, run: "/payouts?state=on_hold", may: "read" },
  { ...pages.inDoubt, icon: Banknote, run: "/payouts?state=in_doubt", may: "read" },
  { ...pages.apiDocs, icon: BookOpen, run: "/api/docs", may: "read" },
  { ...profile, icon: CircleUser, run: "/profile", may: "read" },
];

/** Returns the actions and further pages that these permissions allow. */
export function commandsFor(permissions: readonly Permission[]) {
  const isAllowed = ({ may }: Guarded): boolean => permissions.includes(may);
  return { actions: ACTIONS.filter(isAllowed), pages: MORE_PAGES.filter(isAllowed) };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** Returns whether each typed word begins a keyword or part of the label. */
export function isFoundBy({ label, keywords = "" }: Command, text: string): boolean {
  const known = wordsOf(`${label} ${keywords}`);
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return typed.every((part) => known.some((word) => word.startsWith(part)));
}
