import { Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { UserText } from "../../components/user-text.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.tsx";
import { NextOccurrences } from "./next-occurrences.tsx";

const texts = messages.form;

type Every = keyof typeof texts.rules;
const RULES = Object.entries(texts.rules).map(([value, label]) => ({
  value: value as Every,
  label,
}));
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const SOURCES = [
  { value: "list", label: texts.sources.list },
  { value: "folder", label: texts.sources.folder },
] as const;
type Source = (typeof SOURCES)[number]["value"];
const SHIFTS = ["none", "before", "after"] as const;
const NEEDS: Partial<Record<Every, string>> = texts.needs;
const HOURS_MAX = 720;

/** The problems that the server finds in an incomplete rule. */
function problemsOf(error: Error | null, every: Every): string {
  const places = error instanceof ApiProblem ? (error.document.places ?? []) : [];
  const problems = places.map(({ place, message }) =>
    place.startsWith("body.calendar.rule") ? NEEDS[every] : message,
  );
  return [...new Set(problems)].filter(Boolean).join("; ");
}

/**
 * The form for a new schedule, which shows the rule as a sentence and its next occurrences before
 * saving.
 */
export function NewScheduleForm({ again }: { readonly again: () => void }) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [every, setEvery] = useState<Every>("last_working_day");
  const [weekdays, setWeekdays] = useState<readonly string[]>(["fri"]);
  const [shift, setShift] = useState<(typeof SHIFTS)[number]>("none");
  const [source, setSource] = useState<Source>("list");
  /** The list for which the reader confirmed that another schedule pays it as well. */
  const [second, setSecond] = useState<string | null>(null);
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
    queryKey: ["POST /api/schedules/preview", calendar, list],
    queryFn: ({ signal }) =>
      call("POST /api/schedules/preview", {
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
          ...(list !== undefined && { allow_second: second === list }),
          calendar,
          lead_hours: Number(text.lead),
          grace_hours: Number(text.grace),
          expires_hours: Number(text.expires),
        },
        idempotencyKey: key,
      }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      // Prevents a second click from creating the same schedule again.
      setText((before) => ({ ...before, name: "", list: "", folder: "" }));
      setSecond(null);
      again();
    },
  });
  const isScheduled =
    second !== null ||
    (save.error instanceof ApiProblem && save.error.code === "list_already_scheduled");
  const problems = problemsOf(refusal, every);
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
    <Section title={texts.title}>
      <ActionForm action={save} verb={texts.save}>
        {field("name", texts.name, undefined, "text", { minLength: 3, maxLength: 100 })}
        <NativeSelect
          label={texts.source}
          data={[...SOURCES]}
          value={source}
          onChange={({ currentTarget: { value } }) =>
            setSource(SOURCES.find((each) => each.value === value)?.value ?? "list")
          }
        />
        {source === "list"
          ? field("list", texts.list, texts.listHint)
          : field("folder", texts.folder, texts.folderHint)}
        <NativeSelect
          label={texts.rule}
          data={[...RULES]}
          value={every}
          onChange={({ currentTarget: { value } }) =>
            setEvery(RULES.find((each) => each.value === value)?.value ?? "day")
          }
        />
        {every === "week" ? (
          <Checkbox.Group label={texts.weekdays} value={[...weekdays]} onChange={setWeekdays}>
            <Group gap="sm" mt={4}>
              {DAYS.map((day, at) => (
                <Checkbox key={day} value={day} label={messages.month.weekdays[at]} />
              ))}
            </Group>
          </Checkbox.Group>
        ) : null}
        {every === "month"
          ? field("monthDay", texts.monthDay, undefined, "number", { min: 1, max: 31 })
          : null}
        {every === "once" ? field("date", texts.date, undefined, "date") : null}
        {field("time", texts.time, undefined, "time")}
        {field("zone", texts.zone)}
        {field("holidays", texts.holidays, texts.holidaysHint)}
        <NativeSelect
          label={texts.shift}
          data={SHIFTS.map((value) => ({ value, label: texts.shifts[value] }))}
          value={shift}
          onChange={({ currentTarget: { value } }) =>
            setShift(SHIFTS.find((each) => each === value) ?? "none")
          }
        />
        {field("lead", texts.lead, texts.leadHint, "number", {
          min: 0,
          max: HOURS_MAX,
        })}
        {field("grace", texts.grace, texts.graceHint, "number", {
          min: 1,
          max: HOURS_MAX,
        })}
        {field("expires", texts.expires, texts.expiresHint, "number", { min: 1, max: HOURS_MAX })}
        <div role="status">
          {tried ? (
            <>
              <Text fw={600}>{tried.says}</Text>
              <NextOccurrences of={tried.next.slice(0, 5)} />
            </>
          ) : (
            <Text size="sm">{texts.incomplete(problems)}</Text>
          )}
        </div>
        {isScheduled && list !== undefined ? (
          <Checkbox
            label={texts.confirmSecond}
            checked={second === list}
            onChange={({ currentTarget: { checked } }) => setSecond(checked ? list : null)}
          />
        ) : null}
        {save.data && name === "" ? (
          <Text role="status" fw={600}>
            {texts.saved(<UserText text={save.data.name} />)}
          </Text>
        ) : null}
      </ActionForm>
    </Section>
  );
}
