import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { call } from "../../../server/client.ts";
import { isFinished } from "../../../base/state.ts";

const REFRESH_MS = 5_000;

/** Loaded for the few batches with something to show. */
const RetrySection = lazy(() => import("./retry-section.tsx"));

/** Shows how a batch is retried, or which batch it retries, if there is a retry. */
export function RetryBatches({
  id,
  version,
  withChanges = true,
}: {
  readonly id: string;
  /** False: the page lists the edited cells of a retry batch elsewhere. */
  readonly withChanges?: boolean;
  /** The state of the batch. The data is loaded again when the state changes. */
  readonly version: string;
}) {
  const { data: retry } = useQuery({
    queryKey: ["GET /api/batches/:id/retry-batch", id, version],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-batch", { params: { id }, signal }),
    // The payouts of a retry batch change without a change of this one.
    refetchInterval: ({ state: { data } }) =>
      data?.batches.some(({ state }) => !isFinished(state)) ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  if (!retry) return null;
  const { batches, of, left_out } = retry;
  const hasReturned = left_out.some(({ why }) => why === "returned");
  if (!hasReturned && batches.length === 0 && of === null) return null;
  return (
    <Suspense>
      <RetrySection id={id} retry={retry} withChanges={withChanges} />
    </Suspense>
  );
}
