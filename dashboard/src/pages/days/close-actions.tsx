import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { weekdayText } from "../../base/dates.ts";
import { Amount } from "../../components/amount.tsx";
import { FactList } from "../../components/fact-list.tsx";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import type { ConfirmProps } from "../../components/forms/confirm-dialog.tsx";
import { call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { useMay } from "../../server/session.ts";
import { cacheDay, dayQuery, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import { useNextStep } from "./next-step.ts";
import { dayAddress } from "../reconciliation/search-params.ts";

const { actions: texts, day: names } = messages;

/**
 * The next step of an open day as its primary button. A day can also be closed without a statement
 * or with breaks; the button and the hint say so.
 */
export function CloseActions({
  of,
  isInCalendar = false,
}: {
  readonly of: DayView;
  /** The page of the day is elsewhere, and a message confirms the close. */
  readonly isInCalendar?: boolean;
}) {
  const { day, lane, close, statement, unresolved_breaks: breaks } = of;
  const mayOperate = useMay("operate");
  const step = useNextStep(of);
  const [isAsking, setIsAsking] = useState(false);
  const verb = texts.close(breaks, statement !== null);
  const run = useMutation({
    mutationFn: () => call("POST /api/days/:day/close", { params: { day }, body: { lane } }),
    onSuccess: (closed) => {
      cacheDay(closed);
      if (!isInCalendar) return;
      // The page then shows the next day.
      notifications.show({ message: texts.closed(weekdayText(day), closed.verdict_text ?? "") });
    },
  });
  const mayClose = mayOperate && close.may;
  const hasStep = step.verb !== null && !step.closes && (mayOperate || !step.operates);
  return (
    <Stack gap="xs">
      <ConfirmClose
        of={of}
        verb={verb}
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => run.mutateAsync()}
      />
      <Group gap="xs">
        {hasStep ? (
          <Button component={Link} to={step.to}>
            {step.verb}
          </Button>
        ) : null}
        {mayClose ? (
          <Button
            variant={hasStep ? "default" : "filled"}
            onClick={() => {
              setIsAsking(true);
              void loadAgain(of);
            }}
          >
            {verb}
          </Button>
        ) : null}
        {isInCalendar ? (
          <Button
            variant={hasStep ? "subtle" : "default"}
            component={Link}
            to={dayAddress(day, lane)}
          >
            {messages.next.open}
          </Button>
        ) : null}
      </Group>
      {mayClose ? (
        <Text size="xs" c="dimmed">
          {texts.closeHint(breaks, statement !== null)}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Loads the day again, so that the confirmation shows the figures of now. */
const loadAgain = ({ day, lane }: DayView): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: dayQuery({ day, lane }).queryKey });

/** The confirmation of a close, with the figures and the breaks that the close records. */
const ConfirmClose = ({
  of,
  ...rest
}: Pick<ConfirmProps, "verb" | "opened" | "onClose" | "onConfirm"> & { readonly of: DayView }) => (
  <ConfirmAction
    title={texts.confirm.title(weekdayText(of.day))}
    sentence={texts.confirm.sentence}
    {...rest}
  >
    <BoundFigures of={of} />
  </ConfirmAction>
);

/** The figures and the breaks that a close binds. */
function BoundFigures({
  of: { figures, currency, unresolved_breaks: breaks },
}: {
  readonly of: DayView;
}) {
  if (!figures) return null;
  const { opening, closing, observed, difference } = figures;
  const money = (amount: string | null) =>
    amount === null ? names.notObserved : <Amount of={{ currency, amount }} />;
  return (
    <FactList
      facts={[
        [names.openingBalance, money(opening)],
        [names.closing, money(closing)],
        [names.observed, money(observed)],
        ...(difference === null ? [] : [[names.difference, money(difference)] as const]),
        [names.openBreaks, breaks.toLocaleString()],
      ]}
    />
  );
}
