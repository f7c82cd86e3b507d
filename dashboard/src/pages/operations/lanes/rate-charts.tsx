import { NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { call } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import classes from "../shared/operations.module.css";
import type { LaneView } from "../shared/operations-view.ts";
import { messages as texts } from "./rates-messages.ts";
import { operationsSearch } from "../shared/search-params.ts";

/** The charts are the largest part of the page, so they load last. */
const RatePlots = lazy(async () => ({ default: (await import("./rate-plots.tsx")).RatePlots }));

const route = getRouteApi("/dashboard/operations");

const SPANS = Object.entries(texts.spans).map(([value, label]) => ({ value, label }));
const REFRESH_MS = 10_000;

/** Charts of the gateway's responses and their latency, of all lanes or of one. */
export function RateCharts({ lanes }: { readonly lanes: readonly LaneView[] }) {
  const [minutes, setMinutes] = useState("60");
  const { lane = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: rates, error } = useQuery({
    queryKey: ["GET /api/operations/rates", minutes, lane],
    queryFn: ({ signal }) =>
      call("GET /api/operations/rates", {
        query: { minutes: Number(minutes), ...(lane === "" ? {} : { lane }) },
        signal,
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  return (
    <Section
      title={texts.title}
      actions={
        <div className={classes.buttons}>
          <NativeSelect
            size="xs"
            aria-label={texts.lane}
            data={[
              { value: "", label: texts.allLanes(lanes.length) },
              ...lanes.map(({ lane: value, name: label }) => ({ value, label })),
            ]}
            value={lane}
            onChange={({ currentTarget: { value } }) =>
              void navigate({
                search: operationsSearch({ tab: "lanes", lane: value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <SegmentedControl
            size="xs"
            aria-label={texts.span}
            data={SPANS}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {rates && rates.steps.length === 0 ? (
        <Text c="dimmed" size="sm">
          {texts.empty}
        </Text>
      ) : null}
      {rates && rates.steps.length > 0 ? (
        <Suspense fallback={<Loading />}>
          <RatePlots rates={rates} minutes={Number(minutes)} />
        </Suspense>
      ) : null}
      {rates || error ? null : <Loading />}
    </Section>
  );
}
