import { TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { zoneLabel } from "../../base/time-zone.ts";
import { serverNowMs } from "../../base/server-time.ts";
import type { ZoneProps } from "./zone-select.tsx";

/** Loaded on demand, because a field with a list is large. */
const ZoneSelect = lazy(() => import("./zone-select.tsx"));

/** A time zone, chosen from those that the browser knows: "Asia/Kolkata (GMT+5:30)". */
export const ZoneField = (props: ZoneProps) => {
  const { value, onChange: _, ...field } = props;
  return (
    <Suspense
      fallback={<TextInput {...field} value={zoneLabel(value, serverNowMs())} readOnly required />}
    >
      <ZoneSelect {...props} />
    </Suspense>
  );
};
