import { Alert, NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { payoutsText, type SeenLane, type SeenPause } from "./seen.ts";

type Verb = "pause" | "resume" | "open";

export interface Wish {
  readonly verb: Verb;
  /** Null: every lane. */
  readonly lane: SeenLane | null;
}

const HOURS = [
  { value: "", label: "until a person resumes it" },
  { value: "1", label: "for 1 hour" },
  { value: "4", label: "for 4 hours" },
  { value: "12", label: "for 12 hours" },
];
const HOUR_MS = 3_600_000;

const MODES = [
  { value: "freeze", label: "nothing more is sent" },
  { value: "drain", label: "batches that have begun finish, nothing else begins" },
] as const;
type Mode = (typeof MODES)[number]["value"];

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  freeze: "Nothing of it is sent.",
  drain: "Batches that have begun finish, nothing else begins.",
};

/** The last word before a lane, or all of them, is paused, resumed or opened. */
export function WishDialog({
  wish: { verb, lane },
  lanes,
  pauseOfAll,
  onClose,
}: {
  readonly wish: Wish;
  readonly lanes: readonly SeenLane[];
  readonly pauseOfAll: SeenPause | null;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [hours, setHours] = useState("");
  const [mode, setMode] = useState<Mode>("freeze");
  const name = lane?.lane ?? "all";
  const what = lane?.lane ?? "everything";
  // As they stand now: the numbers may have changed since the button was pressed.
  const meant = lane === null ? lanes : lanes.filter((each) => each.lane === lane.lane);
  // Somebody else may have paused it since.
  const standing = lane === null ? pauseOfAll : (meant[0]?.pause ?? null);
  const act = async ({ reason }: { readonly reason: string }) => {
    const until =
      hours === "" ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    if (verb === "pause")
      await call("POST /api/lanes/pause", { body: { lane: name, reason, until, mode } });
    else await call(`POST /api/lanes/${verb}`, { body: { lane: name, reason } });
    await client.invalidateQueries({ queryKey: ["GET /api/operations"] });
  };
  const title = `${VERBS[verb]} ${what}`;
  return (
    <ConfirmInNumbers
      opened
      onClose={onClose}
      title={title}
      verb={lane ? VERBS[verb] : title}
      sentence={sentenceOf(verb, meant, { isAll: lane === null, drains: mode === "drain" })}
      asksReason
      passed={passedOf(verb, { isPaused: standing !== null, isStopped: meant[0]?.stop !== null })}
      onConfirm={act}
    >
      {verb === "pause" && standing ? (
        <Alert color="orange" variant="light" title="It is paused already">
          By {standing.actor_name}: {standing.reason}. {MODE_WORDS[standing.mode]} Your word takes
          the place of that one, its end as well.
        </Alert>
      ) : null}
      {verb === "pause" ? (
        <>
          <NativeSelect
            label="What stops"
            data={MODES}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
          />
          <NativeSelect
            label="How long"
            data={HOURS}
            value={hours}
            onChange={({ currentTarget }) => setHours(currentTarget.value)}
          />
        </>
      ) : null}
    </ConfirmInNumbers>
  );
}

/** Somebody else, or a brake that has let go, was first. Pausing again is something else: it takes the place of their word. */
function passedOf(
  verb: Verb,
  { isPaused, isStopped }: { readonly isPaused: boolean; readonly isStopped: boolean },
): string | null {
  if (verb === "resume" && !isPaused) return "It is not paused any more.";
  if (verb === "open" && !isStopped) return "It is not stopped any more.";
  return null;
}

const VERBS = { pause: "Pause", resume: "Resume", open: "Open" } as const;

/** What will happen, in numbers. */
function sentenceOf(
  verb: Verb,
  lanes: readonly SeenLane[],
  { isAll, drains }: { readonly isAll: boolean; readonly drains: boolean },
): string {
  const sum = (count: (lane: SeenLane) => number) =>
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
      return drains
        ? `${waiting} are not sent yet: those of batches that have begun follow, the others wait. ${sent} at the gateway are still followed.`
        : `${waiting} will wait unsent. ${sent} at the gateway are still followed.`;
    case "resume":
      return isAll
        ? `${waiting} may be sent again. Lanes that were paused one by one stay paused.`
        : `${waiting} may be sent again.`;
    case "open":
      return `${waiting} may be sent again. If the cause is not mended, the lane stops again with the first answer.`;
  }
}
