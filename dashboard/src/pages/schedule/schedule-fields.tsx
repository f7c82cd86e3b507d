import { Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { DateField, TimeField } from "../../components/forms/date-field.tsx";
import { ZoneField } from "../../components/forms/zone-field.tsx";
import { WEEKDAY_NAMES } from "../../components/month-grid/month-grid.tsx";
import { messages } from "./messages.tsx";
import classes from "./schedule-fields.module.css";
import {
  AMOUNT_STYLES,
  exampleOf,
  type Frequency,
  type ScheduleDraft,
  SHIFTS,
  WEEKDAYS,
} from "./schedule-draft.ts";

const texts = messages.form;

// Loaded after the other fields, because fields with suggestions are large.
const ListPicker = lazy(() => import("./list-picker.tsx"));

const SOURCES = [
  { value: "list", label: texts.sources.list },
  { value: "folder", label: texts.sources.folder },
] as const;
const RULES = Object.entries(texts.rules).map(([value, label]) => ({
  value: value as Frequency,
  label,
}));
const AMOUNT_FORMATS = AMOUNT_STYLES.map((value) => ({ value, label: exampleOf(value) }));
const HOURS_MAX = 720;

interface FieldsProps {
  readonly draft: ScheduleDraft;
  readonly change: (part: Partial<ScheduleDraft>) => void;
}

/** The names of the fields that are typed. */
type TextName = Exclude<
  keyof ScheduleDraft,
  "source" | "list" | "amounts" | "every" | "weekdays" | "zone" | "holidays" | "shift"
>;

interface TextFieldProps extends FieldsProps {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly type?: "text" | "number";
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** The dialog focuses this field first. */
  readonly "data-autofocus"?: boolean;
}

const TextField = ({
  draft,
  change,
  name,
  hint,
  type = "text",
  required = true,
  ...more
}: TextFieldProps) => (
  <TextInput
    {...more}
    description={hint}
    type={type}
    autoComplete="off"
    value={draft[name]}
    onChange={({ currentTarget: { value } }) => change({ [name]: value })}
    required={required}
  />
);

/** The fields for the name of a schedule and for the list or folder that it pays. */
export function SourceFields(fields: FieldsProps) {
  const { draft, change } = fields;
  return (
    <>
      <TextField
        {...fields}
        name="name"
        label={texts.name}
        minLength={3}
        maxLength={100}
        data-autofocus
      />
      <NativeSelect
        label={texts.source}
        data={[...SOURCES]}
        value={draft.source}
        onChange={({ currentTarget: { value } }) =>
          change({ source: SOURCES.find((each) => each.value === value)?.value ?? "list" })
        }
      />
      {draft.source === "list" ? (
        <Suspense fallback={null}>
          <ListPicker value={draft.list} onChange={(list) => change({ list })} />
        </Suspense>
      ) : (
        <>
          <TextField {...fields} name="folder" label={texts.folder} hint={texts.folderHint} />
          <NativeSelect
            label={texts.amounts}
            description={texts.amountsHint}
            data={[{ value: "", label: texts.anyAmounts }, ...AMOUNT_FORMATS]}
            value={draft.amounts}
            onChange={({ currentTarget: { value } }) =>
              change({ amounts: AMOUNT_FORMATS.find((each) => each.value === value)?.value ?? "" })
            }
          />
          <TextField
            {...fields}
            name="currency"
            label={texts.currency}
            hint={texts.currencyHint}
            maxLength={20}
            required={false}
          />
        </>
      )}
    </>
  );
}

/** The fields for the days of a schedule: how often it repeats, and on which days. */
export function RuleFields(fields: FieldsProps) {
  const { draft, change } = fields;
  return (
    <>
      <NativeSelect
        label={texts.rule}
        data={[...RULES]}
        value={draft.every}
        onChange={({ currentTarget: { value } }) =>
          change({ every: RULES.find((each) => each.value === value)?.value ?? "day" })
        }
      />
      {draft.every === "week" ? (
        <>
          <Checkbox.Group
            label={texts.weekdays}
            value={[...draft.weekdays]}
            onChange={(weekdays) => change({ weekdays })}
          >
            <Group gap="sm" mt={4}>
              {WEEKDAYS.map((day, at) => (
                <Checkbox key={day} value={day} label={WEEKDAY_NAMES[at]} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextField {...fields} name="weeks" label={texts.weeks} type="number" min={1} max={52} />
          {Number(draft.weeks) > 1 || draft.weeksFrom !== "" ? (
            <DateField
              label={texts.weeksFrom}
              description={texts.weeksFromHint}
              value={draft.weeksFrom}
              onChange={(weeksFrom) => change({ weeksFrom })}
              required={Number(draft.weeks) > 1}
            />
          ) : null}
        </>
      ) : null}
      {draft.every === "month" ? (
        <TextField
          {...fields}
          name="monthDay"
          label={texts.monthDay}
          type="number"
          min={1}
          max={31}
        />
      ) : null}
      {draft.every === "once" ? (
        <DateField
          label={texts.date}
          value={draft.date}
          onChange={(date) => change({ date })}
          required
        />
      ) : null}
    </>
  );
}

/** The fields for the time of day, and for days on which no payouts are sent. */
export function TimeFields({
  holidayCurrencies,
  ...fields
}: FieldsProps & { readonly holidayCurrencies: readonly string[] }) {
  const { draft, change } = fields;
  return (
    <>
      <TimeField
        label={texts.time}
        description={texts.timeHint}
        value={draft.time}
        onChange={(time) => change({ time })}
        required
      />
      <ZoneField
        label={texts.zone}
        description={texts.zoneHint}
        value={draft.zone}
        onChange={(zone) => change({ zone })}
      />
      <NativeSelect
        label={texts.holidays}
        description={holidayCurrencies.length === 0 ? texts.noHolidays : texts.holidaysHint}
        data={[
          { value: "", label: texts.weekendsOnly },
          ...[...new Set([...holidayCurrencies, draft.holidays].filter(Boolean))].map(
            (currency) => ({ value: currency, label: currency }),
          ),
        ]}
        value={draft.holidays}
        onChange={({ currentTarget: { value } }) => change({ holidays: value })}
      />
      {draft.every === "last_working_day" ? null : (
        <NativeSelect
          label={texts.shift}
          data={SHIFTS.map((value) => ({ value, label: texts.shifts[value] }))}
          value={draft.shift}
          onChange={({ currentTarget: { value } }) =>
            change({ shift: SHIFTS.find((each) => each === value) ?? "none" })
          }
        />
      )}
    </>
  );
}

const HOURS = { type: "number", max: HOURS_MAX } as const;

/**
 * The fields for the hours around an occurrence: lead time, grace period and expiry. A sentence
 * replaces them until it is opened, because they seldom change.
 */
export const HoursFields = (fields: FieldsProps) => (
  <details
    className={classes.hours}
    // A wrong number could not receive the focus in a closed part.
    onInvalidCapture={({ currentTarget }) => {
      currentTarget.open = true;
    }}
  >
    <summary>{texts.hours(fields.draft.lead, fields.draft.expires)}</summary>
    <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: "end" }}>
      <TextField
        {...fields}
        {...HOURS}
        name="lead"
        label={texts.lead}
        hint={texts.leadHint}
        min={0}
      />
      <TextField
        {...fields}
        {...HOURS}
        name="grace"
        label={texts.grace}
        hint={texts.graceHint}
        min={1}
      />
      <TextField
        {...fields}
        {...HOURS}
        name="expires"
        label={texts.expires}
        hint={texts.expiresHint}
        min={1}
      />
    </SimpleGrid>
  </details>
);
