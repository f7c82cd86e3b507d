import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { dateText } from "../../base/dates.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { useMay } from "../../server/session.ts";
import { lanesQuery } from "../reconciliation/lane-query.ts";
import { messages } from "./messages.tsx";
import { OpeningForm } from "./opening-form.tsx";

const texts = messages.missingDay;

/** Why a day has no figures, with the next step: no opening balance, or a later first day. */
export function MissingDay({ day, lane }: { readonly day: string; readonly lane: string }) {
  const { data: lanes, error, refetch } = useQuery(lanesQuery);
  const mayOperate = useMay("operate");
  const [isOpening, setOpening] = useState(false);
  const name = useLaneName()(lane);
  if (!lanes) {
    return error ? (
      <ErrorState error={error} reset={() => void refetch()} />
    ) : (
      <Loading lines={4} />
    );
  }
  const found = lanes.items.find((each) => each.lane === lane);
  if (found && found.first_day === null) {
    return (
      <EmptyState text={texts.notStarted(name, mayOperate)}>
        {mayOperate ? (
          <Button onClick={() => setOpening(true)}>{messages.opening.save}</Button>
        ) : null}
        {isOpening ? (
          <OpeningForm lane={lane} asked={day} onClosed={() => setOpening(false)} />
        ) : null}
      </EmptyState>
    );
  }
  const first = found?.first_day ?? null;
  const isBefore = first !== null && day < first;
  return (
    <EmptyState text={isBefore ? texts.before(name, dateText(first)) : texts.unknown}>
      <Button
        component={Link}
        to={`/reconciliation/days?${new URLSearchParams({ lane, ...(isBefore && { month: first.slice(0, 7) }) })}`}
        variant="default"
      >
        {texts.calendar}
      </Button>
    </EmptyState>
  );
}
