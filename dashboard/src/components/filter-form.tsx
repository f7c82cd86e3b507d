import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filters.module.css";

/** The filters of a list. They stand in the address, and the fields start anew with each one. */
export function FilterForm({
  of,
  search,
  onFind,
  onClear,
  more,
  children,
}: {
  /** What is looked for, for those who hear the page. */
  readonly of: string;
  readonly search: object;
  readonly onFind: (form: HTMLFormElement) => void;
  readonly onClear: () => void;
  /** What stands between the fields and the buttons. */
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
          <Button type="submit">Find</Button>
          <Button type="button" variant="default" onClick={onClear}>
            Clear
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

/** The states to choose from. One that stands for several keeps its text, as a line of its own. */
export const stateChoices = (
  states: Readonly<Record<string, { readonly word: string }>>,
  chosen: string | undefined,
): Choice[] => [
  { value: "", label: "any state" },
  ...Object.entries(states).map(([value, { word }]) => ({ value, label: word })),
  ...(chosen?.includes(",") ? [{ value: chosen, label: chosen.replaceAll("_", " ") }] : []),
];
