import { Button, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { SearchChange } from "./list-column.ts";
import classes from "./filter-bar.module.css";
import { messages } from "./messages.ts";

interface SearchFieldProps {
  /** Says what the search field finds. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string, change: SearchChange) => void;
  /** Returns the number of characters from which the text finds rows. By default, one. */
  readonly shortest?: (text: string) => number;
}

/** How long the reader pauses before the list is searched, in milliseconds. */
const PAUSE_MS = 300;

/** Searches when the reader pauses, and at once on Enter. */
function SearchField({ label, value, onChange, shortest = () => 1 }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const text = typed.trim();
  const input = useRef<HTMLInputElement>(null);
  // The texts searched for while the reader types, which must not replace a newer one.
  const own = useRef(new Set<string>());
  const hintId = useId();
  useEffect(() => {
    if (document.activeElement === input.current && own.current.has(value)) return;
    own.current.clear();
    setTyped(value);
  }, [value]);
  const find = (wanted: string, change: SearchChange): void => {
    if (wanted === value) return;
    own.current.add(wanted);
    onChange(wanted, change);
  };
  const isTooShort = (wanted: string): boolean =>
    wanted !== "" && [...wanted].length < shortest(wanted);
  const findLater = useDebouncedCallback(
    (wanted: string) => isTooShort(wanted) || find(wanted, { replace: true }),
    PAUSE_MS,
  );
  const hint = isTooShort(text) ? messages.atLeast(shortest(text)) : null;
  return (
    <form
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault();
        findLater.cancel();
        find(text, {});
      }}
    >
      <TextInput
        ref={input}
        type="search"
        size="sm"
        aria-label={label}
        aria-describedby={hint ? hintId : undefined}
        placeholder={label}
        leftSection={<Search size={15} aria-hidden />}
        rightSection={
          hint ? (
            <Text id={hintId} size="xs" c="dimmed">
              {hint}
            </Text>
          ) : null
        }
        rightSectionWidth={hint ? "9rem" : 0}
        rightSectionPointerEvents="none"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          findLater(currentTarget.value.trim());
        }}
        autoComplete="off"
      />
    </form>
  );
}

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
  readonly text?: SearchFieldProps;
  /** Undefined: the list is not filtered. */
  readonly onClear: (() => void) | undefined;
  /** The filter chips. */
  readonly children: ReactNode;
}) => (
  <search aria-label={label} className={classes.filters}>
    {text ? <SearchField {...text} /> : null}
    {children}
    {onClear ? (
      <Button variant="subtle" size="compact-xs" className={classes.clear} onClick={onClear}>
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
