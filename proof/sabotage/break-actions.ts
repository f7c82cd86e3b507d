import type { Sabotage } from "./sabotage.ts";

const APPLY = "src/ledger/reconciliation/bulk/apply.ts";
const PREVIEW = "src/ledger/reconciliation/bulk/preview.ts";
const WHY_LEFT = "src/ledger/reconciliation/bulk/why-left.ts";

const mistake = (name: string, edit: Sabotage["edits"][number]): Sabotage => ({
  name,
  breaks: "I15",
  caughtBy: "drill",
  tests: "proof/break-actions",
  edits: [edit],
});

/** Mistakes in actions on several breaks. */
export const BREAK_ACTION_SABOTAGES: readonly Sabotage[] = [
  mistake("an action changes breaks whose values have changed since the preview", {
    file: APPLY,
    find: `      ? sql\`b.version <> previewed.version\``,
    replace: `      ? sql\`b.version < previewed.version\``,
  }),
  mistake("a decision applies to a proposal that nobody saw", {
    file: APPLY,
    find: `or r.id is distinct from previewed.proposal)`,
    replace: `or r.id is null)`,
  }),
  mistake("an action does not lock the breaks that it checks", {
    file: APPLY,
    find: `    order by id for update\`.execute(transaction);
  const hasMoved`,
    replace: `    order by id\`.execute(transaction);
  const hasMoved`,
  }),
  mistake("a person confirms their own proposals among several", {
    file: WHY_LEFT,
    find: `sql\`when \${isOwn(actor)} then 'own_proposal'\``,
    replace: `sql\`\``,
  }),
  mistake("the preview of several breaks omits the class of the filter", {
    file: PREVIEW,
    find: `sql\`b.id = any (\${[...chosen]}::bigint[])\` : isInFilter(chosen)}`,
    replace: `sql\`b.id = any (\${[...chosen]}::bigint[])\` : isInFilter({ ...chosen, class: undefined })}`,
  }),
  mistake("the audit line of an action lists breaks that it left", {
    file: APPLY,
    find: `const facts = { ...factsOf(known.action, changed, order), left };`,
    replace: `const facts = { ...factsOf(known.action, found, order), left };`,
  }),
];
