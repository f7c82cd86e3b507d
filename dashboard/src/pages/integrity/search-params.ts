import { startOfDay } from "../../base/local-time.ts";
import { textParams } from "../../base/list/text-params.ts";

const NAMES = ["actor", "object", "action", "from", "to"] as const;

/** The filters of the audit log, as text from the page address. `from` and `to` are days. */
export type AuditSearch = { readonly [Name in (typeof NAMES)[number]]?: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Keeps the known filters of a page address and ignores its other parameters. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const { from, to, ...same } = textParams(given, NAMES);
  return {
    ...same,
    ...(from !== undefined && DAY.test(from) && { from }),
    ...(to !== undefined && DAY.test(to) && { to }),
  };
}

/** The query of the API. The range includes both days. */
export const auditQuery = ({ from, to, ...same }: AuditSearch) => ({
  ...same,
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
});
