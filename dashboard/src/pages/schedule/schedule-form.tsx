import { Alert, Button, Checkbox, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, ApiProblem, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { isolateDirection } from "../../base/text.ts";
import { FirstBatch } from "./first-batch.tsx";
import { messages } from "./messages.tsx";
import { NextOccurrences } from "./next-occurrences.tsx";
import {
  calendarOf,
  draftOf,
  listOf,
  newSchedule,
  type ScheduleDraft,
  settingsOf,
} from "./schedule-draft.ts";
import { problemsOf } from "./rule-problems.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { HoursFields, RuleFields, SourceFields, TimeFields } from "./schedule-fields.tsx";

const texts = messages.form;

type Schedule = Answer<"GET /api/schedules">["items"][number];

interface FormProps {
  readonly holidayCurrencies: readonly string[];
  readonly reload: () => void;
}

/**
 * The dialog for a new schedule, which shows the rule as a sentence and its next occurrences before
 * saving.
 */
export function NewScheduleDialog({
  onClose,
  onSaved,
  ...props
}: FormProps & {
  readonly onClose: () => void;
  readonly onSaved: (saved: { readonly id: string; readonly name: string }) => void;
}) {
  const form = useDraft(newSchedule());
  const [key] = useState(() => crypto.randomUUID());
  const save = useMutation({
    mutationFn: () =>
      call("POST /api/schedules", {
        body: settingsOf(form.draft, form.allowSecond),
        idempotencyKey: key,
      }),
    onSuccess: (made) => {
      props.reload();
      onSaved(made);
      onClose();
    },
  });
  return (
    <ScheduleDialog title={texts.title} onClose={onClose}>
      <ActionForm action={save} verb={texts.save}>
        <ScheduleFields
          form={form}
          error={save.error}
          holidayCurrencies={props.holidayCurrencies}
        />
      </ActionForm>
    </ScheduleDialog>
  );
}

/** The dialog that edits a schedule, with the same fields and preview as for a new one. */
export function EditScheduleDialog({
  schedule,
  onClose,
  ...props
}: FormProps & { readonly schedule: Schedule; readonly onClose: () => void }) {
  /** The schedule as the editor has seen it: a refetch must not change the fields. */
  const [seen, setSeen] = useState(schedule);
  return (
    <ScheduleDialog title={texts.editTitle(isolateDirection(schedule.name))} onClose={onClose}>
      <EditScheduleForm key={seen.version} {...{ seen, setSeen, onClose }} {...props} />
    </ScheduleDialog>
  );
}

function EditScheduleForm({
  seen,
  setSeen,
  onClose,
  holidayCurrencies,
  reload,
}: FormProps & {
  readonly seen: Schedule;
  readonly setSeen: (schedule: Schedule) => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const form = useDraft(draftOf(seen));
  const { repeats = null, skips = null } = usePreview(form.draft, seen.id).data ?? {};
  const effects = useConfirmations();
  const params = { id: seen.id };
  const save = useMutation({
    mutationFn: () =>
      call("PUT /api/schedules/:id", {
        params,
        body: {
          ...settingsOf(form.draft, form.allowSecond),
          version: seen.version,
          ...(effects.isConfirmed(repeats) && { allow_repeat: repeats?.day }),
          ...(effects.isConfirmed(skips) && { allow_skip: skips?.day }),
        },
      }),
    // An occurrence may have become due since the preview.
    onError: () => client.invalidateQueries({ queryKey: [PREVIEW] }),
    onSuccess: () => {
      reload();
      onClose();
    },
  });
  const load = useMutation({
    mutationFn: () => call("GET /api/schedules/:id", { params }),
    onSuccess: setSeen,
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {texts.editEffect}
      </Text>
      <ActionForm action={save} verb={texts.editSave}>
        <ScheduleFields
          form={form}
          error={save.error}
          holidayCurrencies={holidayCurrencies}
          schedule={seen.id}
        />
        <Confirmation of={repeats} title={texts.repeats} label={texts.confirmRepeat} {...effects} />
        <Confirmation of={skips} title={texts.skips} label={texts.confirmSkip} {...effects} />
      </ActionForm>
      {save.error instanceof ApiProblem && save.error.code === "content_changed" ? (
        <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          {texts.reload}
        </Button>
      ) : null}
    </Stack>
  );
}

type Effect = NonNullable<Answer<typeof PREVIEW>["repeats"]>;

/** The effects of an edit that its editor has confirmed. A changed sentence is another effect. */
function useConfirmations() {
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  return {
    isConfirmed: (effect: Effect | null): boolean =>
      effect !== null && confirmed.includes(effect.why),
    confirm: ({ why }: Effect, isOn: boolean): void =>
      setConfirmed((before) => [...before.filter((each) => each !== why), ...(isOn ? [why] : [])]),
  };
}

/** Asks to confirm an effect of the edit, without which it is refused. */
const Confirmation = ({
  of: effect,
  title,
  label,
  isConfirmed,
  confirm,
}: ReturnType<typeof useConfirmations> & {
  readonly of: Effect | null;
  readonly title: string;
  readonly label: string;
}) =>
  effect === null ? null : (
    <Alert color="orange" variant="light" title={title}>
      {effect.why}
      <Checkbox
        mt="xs"
        label={label}
        checked={isConfirmed(effect)}
        onChange={({ currentTarget: { checked } }) => confirm(effect, checked)}
      />
    </Alert>
  );

type Draft = ReturnType<typeof useDraft>;

/** The typed fields, and the confirmation that another schedule pays the same list. */
function useDraft(first: ScheduleDraft) {
  const [draft, setDraft] = useState(first);
  /** The list for which the reader confirmed that another schedule pays it as well. */
  const [second, setSecond] = useState<string | null>(null);
  return {
    draft,
    change: (part: Partial<ScheduleDraft>): void => setDraft((before) => ({ ...before, ...part })),
    second,
    setSecond,
    allowSecond: second === listOf(draft),
  };
}

/** The fields of a schedule, the preview and, if needed, the confirmation of a second schedule. */
function ScheduleFields({
  form: { draft, change, second, setSecond, allowSecond },
  error,
  holidayCurrencies,
  schedule,
}: {
  readonly form: Draft;
  readonly error: Error | null;
  readonly holidayCurrencies: readonly string[];
  /** The schedule that is being edited. */
  readonly schedule?: string;
}) {
  const list = listOf(draft);
  const isScheduled =
    second !== null || (error instanceof ApiProblem && error.code === "list_already_scheduled");
  return (
    <>
      <SourceFields draft={draft} change={change} />
      <RuleFields draft={draft} change={change} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
        <TimeFields draft={draft} change={change} holidayCurrencies={holidayCurrencies} />
      </SimpleGrid>
      <HoursFields draft={draft} change={change} />
      <Preview draft={draft} schedule={schedule} />
      {isScheduled && list !== undefined ? (
        <Checkbox
          label={texts.confirmSecond}
          checked={allowSecond}
          onChange={({ currentTarget: { checked } }) => setSecond(checked ? list : null)}
        />
      ) : null}
    </>
  );
}

const PREVIEW = "POST /api/schedules/preview";

/**
 * Loads the preview of a draft.
 *
 * @param schedule the schedule that is being edited.
 */
function usePreview(draft: ScheduleDraft, schedule: string | undefined) {
  const calendar = calendarOf(draft);
  const list = listOf(draft);
  const lead = Number(draft.lead);
  const edit = {
    ...(schedule !== undefined && { schedule }),
    ...((schedule !== undefined || Number.isInteger(lead)) && { lead_hours: lead }),
  };
  return useQuery({
    queryKey: [PREVIEW, calendar, list, edit],
    queryFn: ({ signal }) =>
      call(PREVIEW, {
        body: { calendar, ...(list !== undefined && { list }), ...edit },
        signal,
      }),
    retry: false,
  });
}

/** The rule as a sentence with its next occurrences, or the fields that are missing. */
function Preview({
  draft,
  schedule,
}: {
  readonly draft: ScheduleDraft;
  readonly schedule: string | undefined;
}) {
  const { data: preview, error } = usePreview(draft, schedule);
  return (
    <div role="status">
      {preview ? (
        <>
          <Text fw={600}>{preview.says}</Text>
          {preview.note === null ? null : <Text size="sm">{preview.note}</Text>}
          <NextOccurrences of={preview.next.slice(0, 5)} />
          <FirstBatch of={preview.first_batch} />
          <Text size="sm">{texts.needsApproval}</Text>
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
