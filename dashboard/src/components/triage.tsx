import { Button, NativeSelect, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../client.ts";
import { usePerson } from "../session.ts";
import { LineForm } from "./line-form.tsx";
import classes from "./triage.module.css";
import { When } from "./when.tsx";

export type Triage = Pick<
  Answer<"GET /api/failures">["taken_up"][number],
  "assigned_to" | "snooze"
>;

export const NOBODYS: Triage = { assigned_to: null, snooze: null };

/** Out of the way now: it is in the list again by itself. */
export const isSnoozed = ({ snooze }: Triage): boolean => snooze !== null && snooze.over === null;

const BACK = {
  day: "In the list again: its day has come.",
  change: "In the list again: something has changed since it was snoozed.",
} as const;

/** Who has it, and whether it is out of the way. */
export function TriageText({
  of: { assigned_to, snooze },
  causeIs = null,
}: {
  readonly of: Triage;
  /** Who looks after everything of the same cause. */
  readonly causeIs?: string | null;
}) {
  return (
    <>
      <p className={classes.facts}>
        {assigned_to === null && causeIs !== null ? (
          <>
            <strong>{causeIs}</strong> looks after all payouts of its cause.
          </>
        ) : assigned_to === null ? (
          "Nobody looks after it."
        ) : (
          <>
            <strong>{assigned_to.name}</strong> looks after it.
            {assigned_to.is_active ? null : " This user is disabled: give it to somebody else."}
          </>
        )}
      </p>
      {snooze === null ? null : snooze.over === null ? (
        <p className={classes.facts}>
          Snoozed until <When at={snooze.until} relative={false} /> by {snooze.by}.
        </p>
      ) : (
        <p className={`${classes.facts} ${classes.back}`}>{BACK[snooze.over]}</p>
      )}
    </>
  );
}

export interface Deeds {
  /** `from`: whoever has it on the screen. */
  readonly assign: (hands: {
    readonly to: string | null;
    readonly from: string | null;
  }) => Promise<unknown>;
  /** Not where payrun works at it by itself. */
  readonly snooze: ((until: string | null) => Promise<unknown>) | undefined;
  /** Reads what is shown once more. */
  readonly again: () => Promise<unknown>;
}

/** Gives it to somebody, or out of the way for some days. Nothing is done to any payout. */
export function TriageForms({ of, deeds }: { readonly of: Triage; readonly deeds: Deeds }) {
  return (
    <div className={classes.forms}>
      <Assign of={of} deeds={deeds} />
      {deeds.snooze ? <Snooze of={of} snooze={deeds.snooze} again={deeds.again} /> : null}
    </div>
  );
}

function Assign({
  of: { assigned_to },
  deeds: { assign, again },
}: {
  readonly of: Triage;
  readonly deeds: Deeds;
}) {
  const me = usePerson()?.id;
  const { data: people } = useQuery({
    queryKey: ["GET /api/failures/people"],
    queryFn: ({ signal }) => call("GET /api/failures/people", { signal }),
    staleTime: 60_000,
  });
  const current = assigned_to?.id ?? "";
  const [chosen, setChosen] = useState<string | null>(null);
  const to = chosen ?? current;
  const give = useMutation({
    mutationFn: (next: string | null) => assign({ to: next, from: assigned_to?.id ?? null }),
    onSuccess: async () => {
      await again();
      setChosen(null);
    },
    // What is shown was wrong.
    onError: again,
  });
  const known = people?.items ?? [];
  const left =
    assigned_to && !known.some(({ id }) => id === assigned_to.id)
      ? [{ value: assigned_to.id, label: assigned_to.name }]
      : [];
  return (
    <LineForm
      onSend={() => give.mutate(to === "" ? null : to)}
      isSending={give.isPending}
      verb="Give it"
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
            Take it
          </Button>
        )
      }
    >
      <NativeSelect
        label="Who looks after it"
        size="xs"
        value={to}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        data={[
          { value: "", label: "nobody" },
          ...left,
          ...known.map(({ id, name }) => ({
            value: id,
            label: id === me ? `${name} (you)` : name,
          })),
        ]}
      />
    </LineForm>
  );
}

const DAYS_MAX = 90;

/** A day of the reader's own calendar, so many days from now: 2026-12-31. */
function dayIn(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function Snooze({
  of,
  snooze,
  again,
}: {
  readonly of: Triage;
  readonly snooze: NonNullable<Deeds["snooze"]>;
  readonly again: Deeds["again"];
}) {
  const [day, setDay] = useState("");
  const put = useMutation({
    mutationFn: snooze,
    onSuccess: async () => {
      await again();
      setDay("");
    },
  });
  return (
    <LineForm
      onSend={() => put.mutate(new Date(`${day}T00:00`).toISOString())}
      isSending={put.isPending}
      verb="Snooze"
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
            End the snooze
          </Button>
        ) : null
      }
      below={
        <Text size="xs" c="dimmed" mt={4}>
          It is back earlier if anything about it changes. Counts and alarms go on as before.
        </Text>
      }
    >
      <TextInput
        label="Out of the list until the morning of"
        size="xs"
        type="date"
        required
        withAsterisk={false}
        min={dayIn(1)}
        max={dayIn(DAYS_MAX)}
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
    </LineForm>
  );
}
