import { Text, VisuallyHidden } from "@mantine/core";
import { When } from "../../components/when.tsx";
import type { Liveness } from "../../live.ts";
import type { BatchPage } from "./queries.ts";
import { countOf } from "./sentence.ts";

const QUARTERS = [25, 50, 75, 100];

/** Whether what one sees is of now; read out only when a quarter is reached, or the first thing goes wrong. */
export function LiveLine({
  liveness: { state, sinceMs },
  batch,
}: {
  readonly liveness: Liveness;
  readonly batch: BatchPage;
}) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {state === "live" ? (
          "live"
        ) : (
          <>
            offline since <When at={new Date(sinceMs).toISOString()} relative={false} />, showing
            old figures
          </>
        )}
        {batch.pace.answers_per_second > 0
          ? ` · ${batch.pace.answers_per_second.toLocaleString()} answers/s`
          : ""}
      </Text>
      <VisuallyHidden aria-live="polite">
        <Milestone batch={batch} />
      </VisuallyHidden>
    </>
  );
}

function Milestone({ batch }: { readonly batch: BatchPage }) {
  const open = countOf(batch, "in_flight") + countOf(batch, "unknown") + countOf(batch, "waiting");
  const share = batch.payouts === 0 ? 0 : ((batch.payouts - open) / batch.payouts) * 100;
  const reached = QUARTERS.findLast((quarter) => share >= quarter);
  const bad = countOf(batch, "not_paid") > 0 ? " Some are not paid." : "";
  const unknown = countOf(batch, "unknown") > 0 ? " Some are unknown." : "";
  if (reached === undefined && !bad && !unknown) return null;
  return `At least ${reached ?? 0} % have ended.${bad}${unknown}`;
}
