/** The pages in the rail, in order. */
import {
  Activity,
  Banknote,
  CalendarClock,
  Files,
  FileUp,
  HandCoins,
  House,
  type LucideIcon,
  ScrollText,
  Settings,
  Stamp,
  TriangleAlert,
} from "lucide-react";
import type { Permission } from "../server/session.ts";
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
  /** Shows the number of the reader's tasks. */
  readonly waits?: "approvals";
}

/** The pages in the order of the rail. */
// biome-ignore format: the columns are the point
export const DESTINATIONS: readonly Destination[] = [
  { to: "/", label: texts.home, icon: House, letter: "h", may: "read" },
  { to: "/upload", label: texts.upload, icon: FileUp, letter: "u", may: "upload" },
  { to: "/batches", label: texts.batches, icon: Files, letter: "b", may: "read" },
  { to: "/approvals", label: texts.approvals, icon: Stamp, letter: "a", may: "read", waits: "approvals" },
  { to: "/schedules", label: texts.schedules, icon: CalendarClock, letter: "s", may: "read" },
  { to: "/payouts", label: texts.payouts, icon: Banknote, letter: "p", may: "read" },
  { to: "/deposits", label: texts.deposits, icon: HandCoins, letter: "d", may: "read" },
  { to: "/failures", label: texts.failures, icon: TriangleAlert, letter: "f", may: "read" },
  { to: "/operations", label: texts.operations, icon: Activity, letter: "o", may: "read" },
  { to: "/audit", label: texts.audit, icon: ScrollText, letter: "l", may: "audit" },
  { to: "/settings/users", label: texts.settings, icon: Settings, letter: "t", may: "administer" },
];
