import type { Answer } from "../../client.ts";
import type { Column } from "../../components/data-table.tsx";
import { When } from "../../components/when.tsx";
import classes from "./audit.module.css";
import { Facts } from "./facts.tsx";

type Line = Answer<"GET /api/audit">["items"][number];

/** The audit log as a table. */
export const LINE_COLUMNS: readonly Column<Line>[] = [
  { key: "number", header: "Line", numeric: true, names: true, cell: ({ number }) => `#${number}` },
  { key: "at", header: "When", cell: ({ at }) => <When at={at} relative={false} /> },
  {
    key: "actor",
    header: "Who",
    cell: ({ actor, actor_name }) => (
      <span className={classes.who}>
        {actor_name ?? actor}
        {actor_name ? <small>{actor}</small> : null}
      </span>
    ),
  },
  { key: "action", header: "Did", cell: ({ action }) => actionText(action) },
  {
    key: "object",
    header: "To",
    cell: ({ object }) => <span className={classes.who}>{object}</span>,
  },
  { key: "facts", header: "With", cell: ({ facts }) => <Facts facts={facts} /> },
];

/** "pause_lane" as people say it. */
export const actionText = (action: string): string => action.replaceAll(/[_.]/g, " ");
