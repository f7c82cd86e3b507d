import { UnstyledButton } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { LatePopover } from "../popover/late-popover.tsx";
import classes from "./filter-chip.module.css";
import { messages } from "./messages.ts";

/**
 * A filter of a list as a chip: its name, or its name and value with a button that removes it. The
 * chip opens the fields of the filter.
 */
export function FilterChip({
  label,
  value,
  onClear,
  children,
}: {
  readonly label: string;
  /** The chosen value in words; undefined if the list is not filtered by it. */
  readonly value: string | undefined;
  readonly onClear: () => void;
  /** The fields; `close` closes them. */
  readonly children: (close: () => void) => ReactNode;
}) {
  const isOn = value !== undefined;
  return (
    <span className={classes.chip} data-on={isOn || undefined}>
      <LatePopover
        position="bottom-start"
        className={classes.fields}
        button={(properties) => (
          <UnstyledButton {...properties} className={classes.open}>
            {isOn ? null : <Plus size={13} aria-hidden />}
            {label}
            {isOn ? <b>{value}</b> : null}
          </UnstyledButton>
        )}
      >
        {children}
      </LatePopover>
      {isOn ? (
        <UnstyledButton
          className={classes.clear}
          aria-label={messages.clearFilter(label)}
          onClick={onClear}
        >
          <X size={13} aria-hidden />
        </UnstyledButton>
      ) : null}
    </span>
  );
}
