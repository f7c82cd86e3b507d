import type { Answer } from "../../server/client.ts";
import type { Column } from "../../components/data-table.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { actionName } from "./action-messages.ts";
import classes from "./audit.module.css";
import { EntryDetails } from "./entry-details.tsx";
import { messages } from "./messages.tsx";

const texts = messages.log;

type Line = Answer<"GET /api/audit">["items"][number];

/** The columns of the audit log. */
export const AUDIT_COLUMNS: readonly Column<Line>[] = [
  {
    key: "number",
    header: texts.line,
    numeric: true,
    names: true,
    cell: ({ number }) => `#${number}`,
  },
  { key: "at", header: texts.at, cell: ({ at }) => <Timestamp at={at} relative={false} /> },
  {
    key: "actor",
    header: texts.actor,
    cell: ({ actor, actor_name }) => (
      <span className={classes.who}>
        {actor_name ?? actor}
        {actor_name ? <small>{actor}</small> : null}
      </span>
    ),
  },
  {
    key: "action",
    header: texts.action,
    card: "title",
    cell: ({ action }) => <span title={action}>{actionName(action)}</span>,
  },
  {
    key: "object",
    header: texts.object,
    cell: ({ object }) => <span className={classes.who}>{object}</span>,
  },
  { key: "facts", header: texts.facts, cell: ({ facts }) => <EntryDetails facts={facts} /> },
];
