import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { weekdayText } from "../../base/dates.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { cacheDay, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import { useNextStep } from "./next-step.ts";
import { dayAddress } from "../reconciliation/search-params.ts";

const texts = messages.actions;

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
  const run = useMutation({
    mutationFn: () => call("POST /api/days/:day/close", { params: { day }, body: { lane } }),
    onSuccess: (closed) => {
      cacheDay(closed);
      if (!isInCalendar) return;
      // The page then shows the next day.
      const text = texts.closed(weekdayText(day), closed.verdict_text ?? "");
      notifications.show({ message: text });
    },
  });
  const mayClose = mayOperate && close.may;
  const hasStep = step.verb !== null && !step.closes && (mayOperate || !step.operates);
  return (
    <Stack gap="xs">
      {run.error ? <ErrorState error={run.error} /> : null}
      <Group gap="xs">
        {hasStep ? (
          <Button component={Link} to={step.to}>
            {step.verb}
          </Button>
        ) : null}
        {mayClose ? (
          <Button
            variant={hasStep ? "default" : "filled"}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {texts.close(breaks, statement !== null)}
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
