import { Button, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./filter-bar.module.css";
import { messages } from "./messages.ts";

/** The search field of a list, its filter chips, and a button that removes all filters. */
export const FilterBar = ({
  label,
  textLabel,
  text,
  onText,
  onClear,
  children,
}: {
  /** Names the filters for screen readers. */
  readonly label: string;
  /** Says what the search field finds. */
  readonly textLabel: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Undefined: the list is not filtered. */
  readonly onClear: (() => void) | undefined;
  /** The filter chips. */
  readonly children: ReactNode;
}) => (
  <search aria-label={label} className={classes.filters}>
    <form
      key={text}
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("text");
        onText(typeof typed === "string" ? typed.trim() : "");
      }}
    >
      <TextInput
        name="text"
        type="search"
        size="sm"
        aria-label={textLabel}
        placeholder={textLabel}
        leftSection={<Search size={15} aria-hidden />}
        defaultValue={text}
        autoComplete="off"
      />
    </form>
    {children}
    {onClear ? (
      <Button variant="subtle" size="compact-xs" onClick={onClear}>
        {messages.clearAll}
      </Button>
    ) : null}
  </search>
);

/** The choices of a filter chip. */
export const Choices = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes.choices}>{children}</div>
);

/** A checkbox or radio button of a filter chip, with the number of rows it finds. */
export const CountedChoice = ({
  count,
  children,
}: {
  /** Undefined: not counted, or none. */
  readonly count: number | undefined;
  readonly children: ReactNode;
}) => (
  <div className={classes.choice}>
    {children}
    <span className="tabular">{count?.toLocaleString()}</span>
  </div>
);
