/**
 * The filters of each page that a saved view may contain, as they are named in the page's address.
 * Excluded are cursors, which are positions and not filters, and everything that identifies a
 * beneficiary or payer, because it is sealed everywhere else. The search text of payouts may be a
 * name, so it is sealed here as well.
 */
// biome-ignore format: the columns are the point
export const VIEW_FILTERS = {
  batches:  ["text", "state", "maker", "from", "to", "sort"],
  payouts:  ["text", "batch", "line", "code", "state", "reason", "currency", "lane", "amount", "amount_from", "amount_to", "gateway_number",
             "bank", "created_from", "created_to", "sent_from", "sent_to", "settled_from", "settled_to",
             "changed_from", "changed_to", "sort"],
  failures: ["state", "currency", "batch", "from", "to", "whose", "snoozed", "sort"],
  audit:    ["actor", "object", "action", "from", "to"],
  deposits: ["code", "gateway_number", "currency", "state", "from", "to", "sort"],
  approvals: ["show", "text", "maker", "currency", "sort"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ViewPage = keyof typeof VIEW_FILTERS;

/** Maximum number of saved views per person, over all pages. */
export const VIEWS_MAX = 50;
export const VIEW_NAME_MAX = 60;
