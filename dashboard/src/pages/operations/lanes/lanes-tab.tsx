import { PauseCircle } from "lucide-react";
import { Lanes } from "./lanes.tsx";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import type { OperationsView } from "../shared/operations-view.ts";
import { PauseText } from "./lane-state.tsx";
import { RateCharts } from "./rate-charts.tsx";
import { StoppedLanes } from "./stopped-lanes.tsx";

const texts = messages.lanes;

/** Which lanes are sending, why others are not, and the traffic of each. */
export function LanesTab({ view }: { readonly view: OperationsView }) {
  const { lanes, pause_of_all: pauseOfAll, ledger } = view;
  return (
    <>
      {pauseOfAll ? (
        <p className={classes.note} data-tone="hold">
          <PauseCircle size={16} aria-hidden />{" "}
          {pauseOfAll.mode === "drain" ? texts.noNewBatches : texts.allPaused}{" "}
          <PauseText pause={pauseOfAll} />
        </p>
      ) : null}
      <StoppedLanes lanes={lanes} />
      <Lanes lanes={lanes} pauseOfAll={pauseOfAll} isFrozen={ledger.is_frozen} />
      <RateCharts lanes={lanes} />
    </>
  );
}
