import { Button, NativeSelect, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addDays, localDay, startOfDay } from "../../../base/local-time.ts";
import { serverNowMs } from "../../../base/server-time.ts";
import { usePerson } from "../../../server/session.ts";
import { DateField } from "../../forms/date-field.tsx";
import { InlineForm } from "../../forms/inline-form.tsx";
import { assignableUsersQuery } from "../../../server/assignable-users-query.ts";
import classes from "./assignment.module.css";
import { type Assignment, isSnoozed } from "./assignment-text.tsx";
import { messages } from "./assignment-messages.tsx";

const { assignment, snooze: snoozeTexts } = messages;

/** The actions that change an assignment. */
export interface AssignmentActions {
  /** `from`: the operator shown on the screen. */
  readonly assign: (change: {
    readonly to: string | null;
    readonly from: string | null;
  }) => Promise<unknown>;
  /** Undefined where payrun still works on it by itself. */
  readonly snooze: ((until: string | null) => Promise<unknown>) | undefined;
  /** Reads the data again. */
  readonly reload: () => Promise<unknown>;
}

/** Assigns or snoozes it. Neither changes a payout. */
export function AssignmentForms({
  of,
  actions,
}: {
  readonly of: Assignment;
  readonly actions: AssignmentActions;
}) {
  return (
    <div className={classes.forms}>
      <AssignForm of={of} actions={actions} />
      {actions.snooze ? (
        <SnoozeForm of={of} snooze={actions.snooze} reload={actions.reload} />
      ) : null}
    </div>
  );
}

function AssignForm({
  of: { assigned_to },
  actions: { assign, reload },
}: {
  readonly of: Assignment;
  readonly actions: AssignmentActions;
}) {
  const me = usePerson()?.id;
  const { data: people } = useQuery(assignableUsersQuery);
  const current = assigned_to?.id ?? "";
  const [chosen, setChosen] = useState<string | null>(null);
  const to = chosen ?? current;
  const give = useMutation({
    mutationFn: (next: string | null) => assign({ to: next, from: assigned_to?.id ?? null }),
    onSuccess: async () => {
      await reload();
      setChosen(null);
    },
    // The shown data was outdated.
    onError: reload,
  });
  const known = people?.items ?? [];
  const left =
    assigned_to && !known.some(({ id }) => id === assigned_to.id)
      ? [{ value: assigned_to.id, label: assigned_to.name }]
      : [];
  return (
    <InlineForm
      onSend={() => give.mutate(to === "" ? null : to)}
      isSending={give.isPending}
      verb={assignment.assign}
      disabled={to === current}
      error={give.error}
      more={
        me === undefined || me === current ? null : (
          <Button
            size="xs"
            variant="default"
            disabled={give.isPending}
            onClick={() => give.mutate(me)}
          >
            {assignment.assignToMe}
          </Button>
        )
      }
    >
      <NativeSelect
        label={assignment.assignedTo}
        size="xs"
        value={to}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        data={[
          { value: "", label: assignment.nobodyChoice },
          ...left,
          ...known.map(({ id, name }) => ({
            value: id,
            label: id === me ? assignment.you(name) : name,
          })),
        ]}
      />
    </InlineForm>
  );
}

const DAYS_MAX = 90;

/** The day `days` from now in the reader's calendar: 2026-12-31. */
const dayIn = (days: number): string => addDays(localDay(serverNowMs()), days);

function SnoozeForm({
  of,
  snooze,
  reload,
}: {
  readonly of: Assignment;
  readonly snooze: NonNullable<AssignmentActions["snooze"]>;
  readonly reload: AssignmentActions["reload"];
}) {
  const [day, setDay] = useState("");
  const put = useMutation({
    mutationFn: snooze,
    onSuccess: async () => {
      await reload();
      setDay("");
    },
  });
  return (
    <InlineForm
      onSend={() => put.mutate(startOfDay(day))}
      isSending={put.isPending}
      verb={snoozeTexts.snooze}
      disabled={day === ""}
      error={put.error}
      more={
        isSnoozed(of) ? (
          <Button
            size="xs"
            variant="default"
            disabled={put.isPending}
            onClick={() => put.mutate(null)}
          >
            {snoozeTexts.end}
          </Button>
        ) : null
      }
      below={
        <Text size="xs" c="dimmed" mt={4}>
          {snoozeTexts.hint}
        </Text>
      }
    >
      <DateField
        label={snoozeTexts.day}
        size="xs"
        required
        withAsterisk={false}
        min={dayIn(1)}
        max={dayIn(DAYS_MAX)}
        value={day}
        onChange={setDay}
      />
    </InlineForm>
  );
}
