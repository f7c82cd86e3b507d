import { SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { localTimeText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import classes from "./decide-all.module.css";
import { messages } from "./messages.tsx";

const texts = messages.actions;

type Schedule = Answer<"GET /api/schedules">["items"][number];
type Decision = keyof typeof texts.decisions;

/** Decides about every undecided day of a schedule, which the dialog lists. */
export default function DecideAllDialog({
  schedule: { id, name, undecided },
  current,
  reload,
  onClose,
}: {
  /** The schedule as it was when the dialog opened. */
  readonly schedule: Schedule;
  /** The schedule as it is now. Undefined: it was removed. */
  readonly current: Schedule | undefined;
  readonly reload: () => void;
  readonly onClose: () => void;
}) {
  const [decision, setDecision] = useState<Decision>("create");
  const days = undecided.map(({ day }) => day);
  const isSame = current?.undecided.map(({ day }) => day).join() === days.join();
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.decideAllQuestion(isolateDirection(name))}
      sentence={texts.decideAllText}
      verb={texts.decideAllVerbs[decision]}
      asksReason
      passed={current === undefined ? texts.removed : isSame ? null : texts.daysChanged}
      onConfirm={async ({ reason }) => {
        const body = { decision, reason, days };
        await call("POST /api/schedules/:id/decide", { params: { id }, body });
        reload();
      }}
    >
      <div className={classes.days} role="region" aria-label={texts.decideAllDays} tabIndex={0}>
        <ul>
          {undecided.map(({ day, says, state }) => (
            <li key={day}>
              {localTimeText(says)} <small>{messages.occurrences.states[state]}</small>
            </li>
          ))}
        </ul>
      </div>
      <SegmentedControl
        aria-label={texts.decision}
        value={decision}
        onChange={(value) => setDecision(value)}
        data={Object.entries(texts.decisions).map(([value, label]) => ({
          value: value as Decision,
          label,
        }))}
      />
      <Text size="sm">{texts.decisionEffects[decision]}</Text>
    </ConfirmAction>
  );
}
