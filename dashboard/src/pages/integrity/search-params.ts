/** The filters of the audit log, as stored in the address. */
export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly object?: string | undefined;
  readonly action?: string | undefined;
  /** Days: 2026-12-31. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters from the address and ignores everything else. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const text = (name: string): string | undefined => {
    const value = given[name];
    const isText = typeof value === "string" || typeof value === "number";
    return isText && value !== "" ? `${value}` : undefined;
  };
  const day = (name: string): string | undefined =>
    DAY.test(text(name) ?? "") ? text(name) : undefined;
  return {
    actor: text("actor"),
    object: text("object"),
    action: text("action"),
    from: day("from"),
    to: day("to"),
    cursor: text("cursor"),
  };
}
