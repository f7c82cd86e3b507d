import { useMay } from "../../../server/session.ts";
import { FrozenLedger } from "./frozen-ledger.tsx";
import { HealthSummary } from "./health-summary.tsx";
import { GatewayResponses, KeyFigures } from "./key-figures.tsx";
import type { OperationsView } from "../shared/operations-view.ts";

/** Whether payrun is healthy, what to do if it is not, and the key figures of sending. */
export function HealthTab({ view }: { readonly view: OperationsView }) {
  const mayOperate = useMay("operate");
  return (
    <>
      <HealthSummary view={view} />
      {mayOperate ? <FrozenLedger isFrozen={view.ledger.is_frozen} /> : null}
      <KeyFigures view={view} />
      <GatewayResponses view={view} />
    </>
  );
}
