import { Button } from "@mantine/core";
import { PauseCircle, PlayCircle } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../server/session.ts";
import { LaneActionDialog } from "./lane-action-dialog.tsx";
import { messages } from "../shared/messages.ts";
import type { OperationsView } from "../shared/operations-view.ts";

const texts = messages.lanes;

/** The button that pauses or resumes all lanes together. */
export function PauseAllButton({ view }: { readonly view: OperationsView }) {
  const [verb, setVerb] = useState<"pause" | "resume" | null>(null);
  const mayOperate = useMay("operate");
  if (!mayOperate || view.lanes.length === 0) return null;
  const isPaused = view.pause_of_all !== null;
  return (
    <>
      <Button
        variant="default"
        c={isPaused ? undefined : "var(--mantine-color-error)"}
        leftSection={
          isPaused ? <PlayCircle size={16} aria-hidden /> : <PauseCircle size={16} aria-hidden />
        }
        onClick={() => setVerb(isPaused ? "resume" : "pause")}
      >
        {isPaused ? texts.resumeAll : texts.pauseAll}
      </Button>
      {verb ? (
        <LaneActionDialog
          action={{ verb, lane: null }}
          lanes={view.lanes}
          pauseOfAll={view.pause_of_all}
          onClose={() => setVerb(null)}
        />
      ) : null}
    </>
  );
}
