import { Alert, Checkbox, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ApiProblem, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { UserText } from "../../components/user-text.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.tsx";
import { NextOccurrences } from "./next-occurrences.tsx";
import {
  calendarOf,
  listOf,
  NEW_SCHEDULE,
  problemsOf,
  type ScheduleDraft,
  sourceOf,
} from "./schedule-draft.ts";
import { HoursFields, RuleFields, SourceFields, TimeFields } from "./schedule-fields.tsx";

const texts = messages.form;

/**
 * The form for a new schedule, which shows the rule as a sentence and its next occurrences before
 * saving.
 */
export function NewScheduleForm({
  holidayCurrencies,
  reload,
}: {
  readonly holidayCurrencies: readonly string[];
  readonly reload: () => void;
}) {
  const [draft, setDraft] = useState(NEW_SCHEDULE);
  const change = (part: Partial<ScheduleDraft>): void =>
    setDraft((before) => ({ ...before, ...part }));
  /** The list for which the reader confirmed that another schedule pays it as well. */
  const [second, setSecond] = useState<string | null>(null);
  const list = listOf(draft);
  const save = useSaveSchedule(draft, second === list, () => {
    // Prevents a second click from creating the same schedule again.
    change({ name: "", list: "", folder: "" });
    setSecond(null);
    reload();
  });
  const isScheduled =
    second !== null ||
    (save.error instanceof ApiProblem && save.error.code === "list_already_scheduled");
  const form = useShownForm();
  return (
    <div ref={form}>
      <Section title={texts.title}>
        <ActionForm action={save} verb={texts.save}>
          <SourceFields draft={draft} change={change} />
          <RuleFields draft={draft} change={change} />
          <TimeFields draft={draft} change={change} holidayCurrencies={holidayCurrencies} />
          <HoursFields draft={draft} change={change} />
          <Preview draft={draft} />
          {isScheduled && list !== undefined ? (
            <Checkbox
              label={texts.confirmSecond}
              checked={second === list}
              onChange={({ currentTarget: { checked } }) => setSecond(checked ? list : null)}
            />
          ) : null}
          {save.data && draft.name === "" ? (
            <Text role="status" fw={600}>
              {texts.saved(<UserText text={save.data.name} />)}
            </Text>
          ) : null}
        </ActionForm>
      </Section>
    </div>
  );
}

/** The command palette returns the focus when it closes, which takes this long. */
const PALETTE_CLOSES_MS = 250;

/** Scrolls to the form and focuses its first field if the address ends with "#new". */
function useShownForm(): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  const isAsked = useLocation({ select: ({ hash }) => hash === "new" });
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => {
      form.current?.scrollIntoView();
      form.current?.querySelector("input")?.focus({ preventScroll: true });
    }, PALETTE_CLOSES_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  return form;
}

/** Creates the schedule. `allowSecond`: another schedule may pay the same list. */
function useSaveSchedule(draft: ScheduleDraft, allowSecond: boolean, onSaved: () => void) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return useMutation({
    mutationFn: () =>
      call("POST /api/schedules", {
        body: {
          name: draft.name,
          ...sourceOf(draft),
          ...(listOf(draft) !== undefined && { allow_second: allowSecond }),
          calendar: calendarOf(draft),
          lead_hours: Number(draft.lead),
          grace_hours: Number(draft.grace),
          expires_hours: Number(draft.expires),
        },
        idempotencyKey: key,
      }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      onSaved();
    },
  });
}

/** The rule as a sentence with its next occurrences, or the fields that are missing. */
function Preview({ draft }: { readonly draft: ScheduleDraft }) {
  const calendar = calendarOf(draft);
  const list = listOf(draft);
  const { data: preview, error } = useQuery({
    queryKey: ["POST /api/schedules/preview", calendar, list],
    queryFn: ({ signal }) =>
      call("POST /api/schedules/preview", {
        body: { calendar, ...(list !== undefined && { list }) },
        signal,
      }),
    retry: false,
  });
  return (
    <div role="status">
      {preview ? (
        <>
          <Text fw={600}>{preview.says}</Text>
          <NextOccurrences of={preview.next.slice(0, 5)} />
          {preview.collision === null ? null : (
            <Alert color="orange" variant="light" title={texts.collision}>
              {preview.collision}
            </Alert>
          )}
        </>
      ) : (
        <Text size="sm">{texts.incomplete(problemsOf(error, draft.every))}</Text>
      )}
    </div>
  );
}
