import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filters.module.css";
import { messages } from "../messages.tsx";

/** The filters of a list. They are stored in the address, and the fields reset when it changes. */
export function FilterForm({
  of,
  search,
  onFind,
  onClear,
  more,
  children,
}: {
  /** Names the search for screen readers. */
  readonly of: string;
  readonly search: object;
  readonly onFind: (form: HTMLFormElement) => void;
  readonly onClear: () => void;
  /** Shown between the fields and the buttons. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <search aria-label={of}>
      <form
        key={JSON.stringify(search)}
        className={classes.filters}
        onSubmit={(event) => {
          event.preventDefault();
          onFind(event.currentTarget);
        }}
      >
        <div className={classes.fields}>{children}</div>
        {more}
        <Group gap="xs">
          <Button type="submit">{messages.filters.find}</Button>
          <Button type="button" variant="default" onClick={onClear}>
            {messages.filters.clear}
          </Button>
        </Group>
      </form>
    </search>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The states to choose from. A chosen list of several states is added as one more choice. */
export const stateChoices = (
  states: Readonly<Record<string, { readonly word: string }>>,
  chosen: string | undefined,
): Choice[] => [
  { value: "", label: messages.filters.anyState },
  ...Object.entries(states).map(([value, { word }]) => ({ value, label: word })),
  ...(chosen?.includes(",") ? [{ value: chosen, label: chosen.replaceAll("_", " ") }] : []),
];
