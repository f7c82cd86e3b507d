import { lazy, Suspense, useState } from "react";
import type { Quarantined } from "./quarantine-alert.tsx";

/** Loaded when a batch is in quarantine, which is rare. */
const QuarantineAlert = lazy(() => import("./quarantine-alert.tsx"));

/** Shows why a batch is in quarantine. Stays after the release, so that its dialog can finish. */
export function Quarantine(properties: Quarantined) {
  const [wasQuarantined, setWasQuarantined] = useState(false);
  if (properties.reasons.length > 0 && !wasQuarantined) setWasQuarantined(true);
  if (!wasQuarantined) return null;
  return (
    <Suspense fallback={null}>
      <QuarantineAlert {...properties} />
    </Suspense>
  );
}
