import { Button, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./filter-bar.module.css";
import { messages } from "./messages.ts";

/** The search field of a list, its filter chips, and a button that removes all filters. */
export const FilterBar = ({
  label,
  text,
  onClear,
  children,
}: {
  /** Names the filters for screen readers. */
  readonly label: string;
  /** Undefined: the list has no search field. */
  readonly text?: {
    /** Says what the search field finds. */
    readonly label: string;
    readonly value: string;
    readonly onChange: (text: string) => void;
  };
  /** Undefined: the list is not filtered. */
  readonly onClear: (() => void) | undefined;
  /** The filter chips. */
  readonly children: ReactNode;
}) => (
  <search aria-label={label} className={classes.filters}>
    {text ? (
      <form
        key={text.value}
        className={classes.text}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get("text");
          text.onChange(typeof typed === "string" ? typed.trim() : "");
        }}
      >
        <TextInput
          name="text"
          type="search"
          size="sm"
          aria-label={text.label}
          placeholder={text.label}
          leftSection={<Search size={15} aria-hidden />}
          defaultValue={text.value}
          autoComplete="off"
        />
      </form>
    ) : null}
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
