import type { Answer } from "../../server/client.ts";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { actionName } from "./action-messages.ts";
import classes from "./entries.module.css";
import { partName } from "./fact-names.ts";
import { EntryDetails } from "./entry-details.tsx";
import { messages } from "./list-messages.ts";

const texts = messages.log;

/** An entry of the audit log. */
export type AuditLine = Answer<"GET /api/audit">["items"][number];

/** The pages of applied actions on many objects, by the action in the audit log. */
const PAGES: Readonly<Record<string, string>> = {
  apply_break_action: "/reconciliation/actions",
  apply_payout_action: "/payout-actions",
  propose_payout_action: "/payout-actions",
  confirm_payout_action: "/payout-actions",
  refuse_payout_action: "/payout-actions",
};

/** The columns of the audit log. */
export const AUDIT_COLUMNS: readonly ListColumn<AuditLine>[] = [
  {
    key: "number",
    header: texts.line,
    width: 80,
    isWide: true,
    isFixed: true,
    numeric: true,
    names: true,
    cell: ({ number }) => `#${number}`,
  },
  {
    key: "at",
    header: texts.at,
    width: 150,
    cell: ({ at }) => <Timestamp seconds at={at} relative={false} />,
  },
  {
    key: "actor",
    header: texts.actor,
    width: 190,
    cell: ({ actor, actor_name }) => (
      <span className={classes.who}>
        {actor_name ?? partName(actor) ?? actor}
        {actor_name ? <small>{actor}</small> : null}
      </span>
    ),
  },
  {
    key: "action",
    header: texts.action,
    width: 190,
    isFixed: true,
    card: "title",
    cell: ({ action }) => <span title={action}>{actionName(action)}</span>,
  },
  {
    key: "object",
    header: texts.object,
    width: 215,
    cell: ({ action, object }) => {
      const page = PAGES[action];
      if (page) return <PageLink to={`${page}/${object}`}>{object}</PageLink>;
      return <span className={classes.who}>{object}</span>;
    },
  },
  {
    key: "facts",
    header: texts.facts,
    width: 300,
    cell: (line) => <EntryDetails of={line} />,
  },
];
