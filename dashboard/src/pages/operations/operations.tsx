import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { useLive } from "../../server/live.ts";
import { useMay } from "../../server/session.ts";
import { CircuitBreakerThresholds } from "./circuit-breaker-thresholds.tsx";
import { FrozenLedger } from "./frozen-ledger.tsx";
import { HealthSummary } from "./health-summary.tsx";
import { Lanes } from "./lanes.tsx";
import { messages } from "./messages.ts";
import { Processes } from "./processes.tsx";
import { QueueSection } from "./queue.tsx";
import { KeyFigures } from "./key-figures.tsx";

/** The charts are the largest part of the page, so they load last. */
const RateCharts = lazy(async () => ({ default: (await import("./rate-charts.tsx")).RateCharts }));

/** The page for people on call: alarms, lanes, throughput, processes and the queue. */
export function OperationsPage() {
  const client = useQueryClient();
  useLive(["operations"], (_topic, document) =>
    client.setQueryData(["GET /api/operations"], document),
  );
  const mayOperate = useMay("operate");
  const { data: view, error } = useQuery({
    queryKey: ["GET /api/operations"],
    queryFn: ({ signal }) => call("GET /api/operations", { signal }),
  });
  return (
    <Page title={messages.title}>
      {error ? <ErrorState error={error} /> : null}
      {view ? (
        <>
          <HealthSummary alarms={view.alarms} onHold={view.on_hold.count} at={view.at} />
          {mayOperate ? <FrozenLedger isFrozen={view.ledger.is_frozen} /> : null}
          <KeyFigures view={view} />
          <Lanes
            lanes={view.lanes}
            pauseOfAll={view.pause_of_all}
            isFrozen={view.ledger.is_frozen}
          />
          <CircuitBreakerThresholds lanes={view.lanes} />
          <Suspense fallback={<Loading />}>
            <RateCharts />
          </Suspense>
          <Processes workers={view.workers} />
          <QueueSection queue={view.queue} ledger={view.ledger} />
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}
