import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { CalendarDays } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { dateFieldText, readDate, readTime } from "../../base/dates.ts";
import classes from "./date-field.module.css";
import { messages } from "./date-messages.ts";

interface DateFieldProps
  extends Omit<TextInputProps, "type" | "value" | "defaultValue" | "onChange" | "min" | "max"> {
  /** "2026-12-31", or "2026-12-31T23:05" with `withTime`. Undefined: the form reads the field. */
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly withTime?: boolean;
  readonly min?: string;
  readonly max?: string;
}

/**
 * A field for a date in the format of the dashboard: "31 Dec 2026". It also reads 2026-12-31, and
 * its button opens the calendar of the browser. A form that reads its fields finds "2026-12-31"
 * under `name`.
 */
export function DateField({
  value,
  defaultValue = "",
  onChange,
  name,
  withTime = false,
  min,
  max,
  ...field
}: DateFieldProps) {
  const [kept, setKept] = useState(defaultValue);
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const text = useRef<HTMLInputElement>(null);
  const current = value ?? kept;
  const set = (next: string): void => {
    setKept(next);
    onChange?.(next);
  };
  const problem = problemOf(typed, current, { min, max });
  useEffect(() => text.current?.setCustomValidity(problem ?? ""), [problem]);
  return (
    <>
      <TextInput
        {...field}
        ref={text}
        autoComplete="off"
        placeholder={withTime ? messages.timeExample : messages.example}
        value={typed ?? dateFieldText(current)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setLeft(false);
          set(readDate(currentTarget.value, withTime) ?? "");
        }}
        // A date that cannot be read stays as it was typed, to be corrected.
        onBlur={() => {
          setTyped(current === "" ? typed : null);
          setLeft(true);
        }}
        error={isLeft ? problem : null}
        rightSection={
          <CalendarButton
            type={withTime ? "datetime-local" : "date"}
            limits={{ min, max }}
            value={current}
            onChange={(next) => {
              setTyped(null);
              set(next);
            }}
          />
        }
      />
      {name === undefined ? null : <input type="hidden" name={name} value={current} />}
    </>
  );
}

interface Limits {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** Opens the calendar of the browser, which belongs to a field that nobody sees. */
function CalendarButton({
  type,
  limits,
  value,
  onChange,
}: {
  readonly type: "date" | "datetime-local";
  readonly limits: Limits;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const native = useRef<HTMLInputElement>(null);
  return (
    <span className={classes.picker}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={messages.open}
        onClick={() => native.current?.showPicker()}
      >
        <CalendarDays size={16} aria-hidden />
      </ActionIcon>
      <input
        ref={native}
        className={classes.native}
        type={type}
        tabIndex={-1}
        aria-hidden
        {...limits}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  );
}

/** Why the date cannot be used. Dates as text have the order of their days. */
function problemOf(typed: string | null, current: string, { min, max }: Limits): string | null {
  if (current === "") return typed === null || typed.trim() === "" ? null : messages.unreadable;
  if (min !== undefined && current < min) return messages.from(dateFieldText(min));
  if (max !== undefined && current > max) return messages.until(dateFieldText(max));
  return null;
}

/** A field for a time of day in 24 hours: "09:00". It also reads 9 and 0900. */
export function TimeField({
  value,
  onChange,
  ...field
}: Omit<TextInputProps, "type" | "value" | "onChange"> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [isLeft, setLeft] = useState(false);
  const text = useRef<HTMLInputElement>(null);
  const problem = value === "" || readTime(value) !== null ? null : messages.unreadableTime;
  useEffect(() => text.current?.setCustomValidity(problem ?? ""), [problem]);
  return (
    <TextInput
      {...field}
      ref={text}
      inputMode="numeric"
      autoComplete="off"
      placeholder={messages.timeOfDayExample}
      value={value}
      onChange={({ currentTarget }) => {
        setLeft(false);
        onChange(currentTarget.value);
      }}
      onBlur={() => {
        setLeft(true);
        onChange(readTime(value) ?? value);
      }}
      error={isLeft ? problem : null}
    />
  );
}
