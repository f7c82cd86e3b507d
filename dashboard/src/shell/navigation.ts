/** The rail. A page that does not exist yet is not linked; each page adds its own line, in this order. */
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
import type { Permission } from "../session.ts";

export interface Destination {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`, it goes there. */
  readonly letter: string;
  /** Who sees it; the server decides who may. */
  readonly may: Permission;
  /** A number stands beside it while something waits for whoever looks. */
  readonly waits?: "approvals";
}

// biome-ignore format: the columns are the point
export const DESTINATIONS: readonly Destination[] = [
  { to: "/", label: "Home", icon: House, letter: "h", may: "read" },
  { to: "/upload", label: "Upload", icon: FileUp, letter: "u", may: "upload" },
  { to: "/batches", label: "Batches", icon: Files, letter: "b", may: "read" },
  { to: "/approvals", label: "Approvals", icon: Stamp, letter: "a", may: "read", waits: "approvals" },
  { to: "/schedules", label: "Schedules", icon: CalendarClock, letter: "s", may: "read" },
  { to: "/payouts", label: "Payouts", icon: Banknote, letter: "p", may: "read" },
  { to: "/deposits", label: "Deposits", icon: HandCoins, letter: "d", may: "read" },
  { to: "/failures", label: "Failures", icon: TriangleAlert, letter: "f", may: "read" },
  { to: "/operations", label: "Operations", icon: Activity, letter: "o", may: "read" },
  { to: "/audit", label: "Audit", icon: ScrollText, letter: "l", may: "audit" },
  { to: "/settings/users", label: "Settings", icon: Settings, letter: "t", may: "administer" },
];
