import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { weekdayText } from "../../base/dates.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { cacheDay, dayQuery, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import { dayAddress } from "./search-params.ts";

const texts = messages.next;

/** How often the state of the day is loaded again, in milliseconds. */
const REFETCH_MS = 30_000;

/** The next day to close: its statement and breaks, its obstacles, and the actions. */
export function NextDay({ lane, day }: { readonly lane: string; readonly day: string }) {
  const { data, error } = useQuery({ ...dayQuery({ day, lane }), refetchInterval: REFETCH_MS });
  return (
    <Section title={texts.title(weekdayText(day))}>
      {error && !data ? <ErrorState error={error} /> : null}
      {data ? (
        <Stack>
          <DayFacts of={data} />
          <NextActions of={data} />
        </Stack>
      ) : null}
    </Section>
  );
}

/** The statement and the open breaks of a day, and why it cannot be closed. */
export function DayFacts({ of }: { readonly of: DayView }) {
  const { day, lane, statement, unresolved_breaks: breaks, close, ends_at: end } = of;
  const filter = new URLSearchParams({ lane, day, state: "open" }).toString();
  return (
    <Stack gap="xs">
      <Text size="sm">
        {statement === null ? texts.noStatement : texts.statement(statement)}{" "}
        {statement === null ? (
          <PageLink to="/reconciliation/upload" isInText>
            {texts.upload}
          </PageLink>
        ) : null}
      </Text>
      <Text size="sm">
        {texts.breaks(breaks)}{" "}
        {breaks > 0 ? (
          <PageLink to={`/reconciliation?${filter}`} isInText>
            {texts.review}
          </PageLink>
        ) : null}
      </Text>
      {close.why_not === null ? null : (
        <Alert variant="light" color="orange" title={texts.notYet}>
          {close.why_not}{" "}
          {close.reason === "day_not_over"
            ? texts.endsAt(<Timestamp at={end} relative={false} />, of.zone)
            : null}
        </Alert>
      )}
    </Stack>
  );
}

function NextActions({ of: { day, lane, close } }: { readonly of: DayView }) {
  const mayOperate = useMay("operate");
  const run = useMutation({
    mutationFn: () => call("POST /api/days/:day/close", { params: { day }, body: { lane } }),
    onSuccess: cacheDay,
  });
  return (
    <>
      {run.error ? <ErrorState error={run.error} /> : null}
      <Group>
        {mayOperate ? (
          <Button disabled={!close.may} loading={run.isPending} onClick={() => run.mutate()}>
            {texts.close}
          </Button>
        ) : null}
        <Button variant="default" component={Link} to={dayAddress(day, lane)}>
          {texts.open}
        </Button>
      </Group>
    </>
  );
}
