/** The pages in the rail, by group and in order. */
import {
  Activity,
  Banknote,
  ChartColumn,
  CalendarClock,
  Files,
  FileUp,
  HandCoins,
  House,
  type LucideIcon,
  Scale,
  ScrollText,
  Settings,
  Stamp,
  TriangleAlert,
} from "lucide-react";
import type { Permission } from "#people/roles.ts";
import { messages } from "./messages.tsx";

const texts = messages.pages;

/** A page that the rail links to. */
export interface Destination {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The letter that opens the page when pressed after `g`. */
  readonly letter: string;
  /** The permission needed to see the link. The server checks access itself. */
  readonly may: Permission;
  /** The part of the rail; null for a page that other pages link to. */
  readonly group: Group | null;
  /** The pages under other addresses that belong to it. */
  readonly covers?: RegExp;
  /** Shows the number of the reader's tasks. */
  readonly waits?: "approve" | "confirm" | "reconcile";
  /** One of the targets of the bottom bar on a phone. */
  readonly inTabBar?: boolean;
}

/** The parts of the rail. `work` has no heading and `foot` is at its bottom. */
export type Group = "work" | "money" | "run" | "foot";

/** The pages in the order of the rail. */
// biome-ignore format: the columns are the point
export const DESTINATIONS: readonly Destination[] = [
  { to: "/", label: texts.home, icon: House, letter: "h", may: "read", group: "work", inTabBar: true },
  { to: "/upload", label: texts.upload, icon: FileUp, letter: "u", may: "upload", group: null },
  { to: "/batches", label: texts.batches, icon: Files, letter: "b", may: "read", group: "work", inTabBar: true },
  { to: "/approvals", label: texts.approvals, icon: Stamp, letter: "a", may: "read", group: "work", waits: "approve", inTabBar: true, covers: /^\/batches\/[^/]+\/approval$/ },
  { to: "/payouts", label: texts.payouts, icon: Banknote, letter: "p", may: "read", group: "work", inTabBar: true },
  { to: "/schedules", label: texts.schedules, icon: CalendarClock, letter: "s", may: "read", group: "work" },
  { to: "/deposits", label: texts.deposits, icon: HandCoins, letter: "d", may: "read", group: "money" },
  { to: "/reconciliation", label: texts.reconciliation, icon: Scale, letter: "r", may: "read", group: "money", waits: "reconcile" },
  { to: "/reports", label: texts.reports, icon: ChartColumn, letter: "e", may: "read", group: "money" },
  { to: "/failures", label: texts.failures, icon: TriangleAlert, letter: "f", may: "read", group: "run" },
  { to: "/operations", label: texts.operations, icon: Activity, letter: "o", may: "read", group: "run" },
  { to: "/audit", label: texts.audit, icon: ScrollText, letter: "l", may: "audit", group: "run" },
  { to: "/settings/users", label: texts.settings, icon: Settings, letter: "t", may: "administer", group: "foot", waits: "confirm", covers: /^\/settings\// },
];

/** Returns the destination that a page under another address belongs to. */
export const coveringDestination = (pathname: string): string | undefined =>
  DESTINATIONS.find(({ covers }) => covers?.test(pathname))?.to;
