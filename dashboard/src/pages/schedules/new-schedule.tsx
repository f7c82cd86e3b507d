import { Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { Given } from "../../components/given.tsx";
import { Section } from "../../components/section.tsx";
import { Next } from "./next.tsx";

const RULES = [
  { value: "last_working_day", label: "Last working day of the month" },
  { value: "month_end", label: "Last day of the month" },
  { value: "month", label: "A day of the month" },
  { value: "week", label: "Days of the week" },
  { value: "day", label: "Every day" },
  { value: "once", label: "Once, on a day" },
] as const;
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
type Every = (typeof RULES)[number]["value"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const DAY_NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const SOURCES = [
  { value: "list", label: "A list: a batch whose rows are paid again" },
  { value: "folder", label: "A file that arrives in a folder" },
] as const;
type Source = (typeof SOURCES)[number]["value"];
const SHIFTS = ["none", "before", "after"] as const;
const DAYS_ASKED: Partial<Record<Every, string>> = {
  month: "a day of the month from 1 to 31",
  week: "a day of the week at least",
  once: "the day",
};
const HOURS_MAX = 720;

/** What a rule lacks, as the server reads it. */
function lackOf(error: Error | null, every: Every): string {
  const places = error instanceof ApiProblem ? (error.document.places ?? []) : [];
  const lacks = places.map(({ place, message }) =>
    place.startsWith("body.calendar.rule") ? DAYS_ASKED[every] : message,
  );
  return [...new Set(lacks)].filter(Boolean).join("; ");
}

/** A rule, its sentence and its next times, before anything is saved. */
export function NewSchedule({ again }: { readonly again: () => void }) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [every, setEvery] = useState<Every>("last_working_day");
  const [weekdays, setWeekdays] = useState<readonly string[]>(["fri"]);
  const [shift, setShift] = useState<(typeof SHIFTS)[number]>("none");
  const [source, setSource] = useState<Source>("list");
  /** The list for which somebody has said that another schedule is meant, too. */
  const [beside, setBeside] = useState<string | null>(null);
  const [text, setText] = useState({
    name: "",
    list: "",
    folder: "",
    time: "09:00",
    zone: HERE,
    holidays: "",
    monthDay: "1",
    date: "",
    lead: "24",
    grace: "4",
    expires: "24",
  });
  const { name, time, zone } = text;
  const rule =
    every === "week"
      ? { every, on: DAYS.filter((day) => weekdays.includes(day)) }
      : every === "month"
        ? { every, on: Number(text.monthDay) }
        : every === "once"
          ? { every, date: text.date }
          : { every };
  const given = text.list.trim();
  const from = source === "list" ? { list: given } : { folder: text.folder.trim() };
  const list = source === "list" && given ? given : undefined;
  const holidays = text.holidays.trim().toUpperCase() || null;
  const calendar = { rule, time, zone: zone.trim(), holidays, shift };
  const { data: tried, error: refusal } = useQuery({
    queryKey: ["POST /api/schedules/try", calendar, list],
    queryFn: ({ signal }) =>
      call("POST /api/schedules/try", {
        body: { calendar, ...(list !== undefined && { list }) },
        signal,
      }),
    retry: false,
  });
  const save = useMutation({
    mutationFn: () =>
      call("POST /api/schedules", {
        body: {
          name,
          ...from,
          ...(list !== undefined && { beside: beside === list }),
          calendar,
          lead_hours: Number(text.lead),
          grace_hours: Number(text.grace),
          expires_hours: Number(text.expires),
        },
        idempotencyKey: key,
      }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      // Pressed again, it would make the same payments a second time.
      setText((before) => ({ ...before, name: "", list: "", folder: "" }));
      setBeside(null);
      again();
    },
  });
  const isScheduled =
    beside !== null ||
    (save.error instanceof ApiProblem && save.error.code === "list_is_scheduled");
  const lack = lackOf(refusal, every);
  const field = (
    part: keyof typeof text,
    label: string,
    hint?: string,
    type = "text",
    bounds: { min?: number; max?: number; minLength?: number; maxLength?: number } = {},
  ) => (
    <TextInput
      {...bounds}
      label={label}
      description={hint}
      type={type}
      autoComplete="off"
      value={text[part]}
      onChange={({ currentTarget: { value } }) =>
        setText((before) => ({ ...before, [part]: value }))
      }
      required={part !== "holidays"}
    />
  );
  return (
    <Section title="A new schedule">
      <ActionForm action={save} verb="Save the schedule">
        {field("name", "Name", undefined, "text", { minLength: 3, maxLength: 100 })}
        <NativeSelect
          label="Where its rows come from"
          data={[...SOURCES]}
          value={source}
          onChange={({ currentTarget: { value } }) =>
            setSource(SOURCES.find((each) => each.value === value)?.value ?? "list")
          }
        />
        {source === "list"
          ? field("list", "List", "The batch whose rows are paid again, such as B0123456789.")
          : field("folder", "Folder", "Its name below the watched folder of this server.")}
        <NativeSelect
          label="When"
          data={[...RULES]}
          value={every}
          onChange={({ currentTarget: { value } }) =>
            setEvery(RULES.find((each) => each.value === value)?.value ?? "day")
          }
        />
        {every === "week" ? (
          <Checkbox.Group label="Days" value={[...weekdays]} onChange={setWeekdays}>
            <Group gap="sm" mt={4}>
              {DAYS.map((day, at) => (
                <Checkbox key={day} value={day} label={DAY_NAMES[at]} />
              ))}
            </Group>
          </Checkbox.Group>
        ) : null}
        {every === "month"
          ? field("monthDay", "Day of the month", undefined, "number", { min: 1, max: 31 })
          : null}
        {every === "once" ? field("date", "Day", undefined, "date") : null}
        {field("time", "Time", undefined, "time")}
        {field("zone", "Time zone")}
        {field("holidays", "Holidays of", "A currency, such as INR; empty: weekends alone.")}
        <NativeSelect
          label="A day that is no working day"
          data={[
            { value: "none", label: "stays" },
            { value: "before", label: "moves to the working day before" },
            { value: "after", label: "moves to the working day after" },
          ]}
          value={shift}
          onChange={({ currentTarget: { value } }) =>
            setShift(SHIFTS.find((each) => each === value) ?? "none")
          }
        />
        {field("lead", "Made, hours before", "So that it can be approved in time.", "number", {
          min: 0,
          max: HOURS_MAX,
        })}
        {field("grace", "Missed, hours after", "Later than this, a person says yes.", "number", {
          min: 1,
          max: HOURS_MAX,
        })}
        {field(
          "expires",
          "Approval expires, hours after",
          "Later than this, nothing is sent.",
          "number",
          { min: 1, max: HOURS_MAX },
        )}
        <div role="status">
          {tried ? (
            <>
              <Text fw={600}>{tried.says}</Text>
              <Next of={tried.next.slice(0, 5)} />
            </>
          ) : (
            <Text size="sm">This is no rule yet{lack && `: ${lack}`}.</Text>
          )}
        </div>
        {isScheduled && list !== undefined ? (
          <Checkbox
            label="Both are meant: pay this list by the other schedule and by this one"
            checked={beside === list}
            onChange={({ currentTarget: { checked } }) => setBeside(checked ? list : null)}
          />
        ) : null}
        {save.data && name === "" ? (
          <Text role="status" fw={600}>
            <Given text={save.data.name} /> is saved. It stands above, with its next times.
          </Text>
        ) : null}
      </ActionForm>
    </Section>
  );
}
