import { type Answer, call } from "../../server/client.ts";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { weekdayText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import { messages } from "./messages.tsx";

const texts = messages.actions;

type Schedule = Answer<"GET /api/schedules">["items"][number];
type Occurrence = Schedule["occurrences"][number];

/** The action that a dialog is open for: on a schedule, or on one of its days. */
export interface ScheduleAction {
  readonly verb: keyof typeof texts.effects;
  readonly schedule: Schedule;
  readonly day: string;
}

/** Whether an occurrence needs a decision, because it has no batch. */
export const isMissed = ({ state }: Occurrence): boolean =>
  state === "missed" || state === "failed";

/**
 * Confirms an action. The page renders it outside of the schedule, which may be removed meanwhile.
 */
export function ScheduleActionDialog({
  action,
  schedules,
  reload,
  onClose,
}: {
  readonly action: ScheduleAction;
  /** The current schedules. */
  readonly schedules: readonly Schedule[];
  readonly reload: () => void;
  readonly onClose: () => void;
}) {
  const { verb, schedule, day } = action;
  const name = isolateDirection(schedule.name);
  const title =
    verb === "create"
      ? texts.createQuestion(weekdayText(day))
      : texts.question(texts.verbs[verb], verb === "skip" ? weekdayText(day) : name);
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={title}
      sentence={texts.effects[verb]}
      verb={texts.verbs[verb]}
      danger={verb === "remove"}
      asksReason
      passed={unavailableReason(action, schedules)}
      onConfirm={async ({ reason }) => {
        const { id } = schedule;
        if (verb === "create" || verb === "skip") {
          const input = { params: { id, day }, body: { decision: verb, reason } };
          await call("POST /api/schedules/:id/occurrences/:day/decide", input);
        } else await call(`POST /api/schedules/:id/${verb}`, { params: { id }, body: { reason } });
        reload();
      }}
    />
  );
}

/** Why the action no longer applies; null if it does. */
function unavailableReason(
  { verb, schedule, day }: ScheduleAction,
  schedules: readonly Schedule[],
): string | null {
  const now = schedules.find(({ id }) => id === schedule.id);
  if (!now) return texts.removed;
  if (verb === "pause") return now.state === "paused" ? texts.alreadyPaused : null;
  if (verb === "resume") return now.state === "paused" ? null : texts.notPaused;
  if (verb === "remove") return null;
  const occurrence = now.occurrences.find((each) => each.day === day);
  return occurrence && isMissed(occurrence) ? null : texts.decided;
}
