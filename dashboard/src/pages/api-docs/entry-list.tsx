import type { ReactNode } from "react";
import classes from "./entry-list.module.css";
import { InlineText } from "./markdown-text.tsx";

/** A row of a list of sections or endpoints. */
interface ListedEntry {
  readonly key: string;
  readonly title: ReactNode;
  readonly note?: string;
  readonly text: string;
}

/** A list of sections or endpoints that reaches the border of its card. */
export const EntryList = ({ entries }: { readonly entries: readonly ListedEntry[] }) => (
  <ul className={classes.list}>
    {entries.map(({ key, title, note, text }) => (
      <li key={key}>
        <div className={classes.title}>
          {title}
          {note === undefined ? null : <small>{note}</small>}
        </div>
        <p>
          <InlineText text={text} />
        </p>
      </li>
    ))}
  </ul>
);
