import { Alert, NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ConfirmAction } from "../../../components/forms/confirm-action.tsx";
import { messages } from "../shared/messages.ts";
import { payoutsText, type LaneView, type LanePause } from "../shared/operations-view.ts";

const texts = messages.dialog;

type Verb = "pause" | "resume" | "open";

/** An action on a lane that waits for confirmation. */
export interface LaneAction {
  readonly verb: Verb;
  /** Null: every lane. */
  readonly lane: LaneView | null;
}

const HOURS = [
  { value: "", label: texts.untilResumed },
  ...[1, 4, 12].map((hours) => ({ value: String(hours), label: texts.hours(hours) })),
];
const HOUR_MS = 3_600_000;

const MODES = [
  { value: "freeze", label: texts.modes.freeze },
  { value: "drain", label: texts.modes.drain },
] as const;
type Mode = (typeof MODES)[number]["value"];

/** Confirms that a lane, or every lane, is paused, resumed or opened. */
export function LaneActionDialog({
  action: { verb, lane },
  lanes,
  pauseOfAll,
  onClose,
}: {
  readonly action: LaneAction;
  readonly lanes: readonly LaneView[];
  readonly pauseOfAll: LanePause | null;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [hours, setHours] = useState("");
  const [mode, setMode] = useState<Mode>("freeze");
  const name = lane?.lane ?? "all";
  const what = lane?.name ?? texts.allLanes;
  // The current lanes: their counts may have changed since the button was pressed.
  const meant = lane === null ? lanes : lanes.filter((each) => each.lane === lane.lane);
  // Another person may have paused it meanwhile.
  const currentPause = lane === null ? pauseOfAll : (meant[0]?.pause ?? null);
  const act = async ({ reason }: { readonly reason: string }) => {
    const until =
      hours === "" ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    if (verb === "pause")
      await call("POST /api/lanes/pause", { body: { lane: name, reason, until, mode } });
    else await call(`POST /api/lanes/${verb}`, { body: { lane: name, reason } });
    await client.invalidateQueries({ queryKey: ["GET /api/operations"] });
  };
  const title = `${texts.verbs[verb]} ${what}`;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={title}
      verb={lane ? texts.verbs[verb] : title}
      sentence={sentenceOf(verb, meant, { isAll: lane === null, drains: mode === "drain" })}
      asksReason
      passed={unavailableReason(verb, {
        isPaused: currentPause !== null,
        isStopped: meant[0]?.stop !== null,
      })}
      onConfirm={act}
    >
      {verb === "pause" && currentPause ? <ReplacedPause pause={currentPause} /> : null}
      {verb === "pause" ? (
        <>
          <NativeSelect
            label={texts.scope}
            data={MODES}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
          />
          <NativeSelect
            label={texts.duration}
            data={HOURS}
            value={hours}
            onChange={({ currentTarget }) => setHours(currentTarget.value)}
          />
        </>
      ) : null}
    </ConfirmAction>
  );
}

/** Warns that another person paused the lane, and that this pause will be replaced. */
const ReplacedPause = ({ pause: { actor_name, reason, mode } }: { readonly pause: LanePause }) => (
  <Alert color="orange" variant="light" title={texts.alreadyPaused}>
    {texts.replaces(actor_name, reason, texts.modeSentences[mode])}
  </Alert>
);

/**
 * Why the action no longer applies: another person, or a circuit breaker that closed, was first. A
 * pause replaces an earlier one.
 */
function unavailableReason(
  verb: Verb,
  { isPaused, isStopped }: { readonly isPaused: boolean; readonly isStopped: boolean },
): string | null {
  if (verb === "resume" && !isPaused) return texts.noLongerPaused;
  if (verb === "open" && !isStopped) return texts.noLongerStopped;
  return null;
}

/** The effect of the action, with the number of payouts. */
function sentenceOf(
  verb: Verb,
  lanes: readonly LaneView[],
  { isAll, drains }: { readonly isAll: boolean; readonly drains: boolean },
): string {
  const sum = (count: (lane: LaneView) => number) =>
    lanes.reduce((all, lane) => all + count(lane), 0);
  const isMore = lanes.some(({ is_more }) => is_more);
  const waiting = payoutsText(
    sum(({ to_send }) => to_send),
    isMore,
  );
  const sent = payoutsText(
    sum((lane) => lane.submitting + lane.accepted + lane.in_doubt),
    isMore,
  );
  switch (verb) {
    case "pause":
      return drains ? texts.drain(waiting, sent) : texts.pause(waiting, sent);
    case "resume":
      return isAll ? texts.resumeAll(waiting) : texts.resume(waiting);
    case "open":
      return texts.openLane(waiting);
  }
}
