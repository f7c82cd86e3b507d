/**
 * A saved checkpoint: a line number of the audit log and its hash, stored outside the ledger:
 * "48211:9f3c…".
 */
export interface AuditPosition {
  readonly line: number;
  readonly hash: string;
}

export const AUDIT_POSITION_FORM = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

/** Reads "48211:9f3c…". Null: not in this form. */
export function parseAuditPosition(text: string): AuditPosition | null {
  const [, line, hash] = AUDIT_POSITION_FORM.exec(text.trim()) ?? [];
  return line !== undefined && hash !== undefined ? { line: Number(line), hash } : null;
}
