import type { Permission } from "../../../server/session.ts";
import { messages } from "./messages.tsx";

const texts = messages.tabs;

/** The pages of the settings, in the order of their tabs. */
// biome-ignore format: the columns are the point
export const SETTINGS_TABS = [
  { to: "/settings/users", label: texts.users, may: "administer" },
  { to: "/settings/keys",  label: texts.keys, may: "read" },
  { to: "/settings/approval-rules", label: texts.approvalRules, may: "read" },
  { to: "/settings/limits", label: texts.limits, may: "read" },
  { to: "/settings/accounts", label: texts.accounts, may: "read" },
  { to: "/settings/notifications", label: texts.notifications, may: "administer" },
  { to: "/settings/roles", label: texts.roles, may: "read" },
  { to: "/settings/archives", label: texts.archives, may: "read" },
  { to: "/settings/retention", label: texts.retention, may: "read" },
  { to: "/settings/erasures", label: texts.erasures, may: "read" },
] as const satisfies readonly { to: string; label: string; may: Permission }[];
