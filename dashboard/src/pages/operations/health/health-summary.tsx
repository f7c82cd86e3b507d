import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { capitalized } from "../../../base/text.ts";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import { type Alarm, type OperationsView, payoutsText } from "../shared/operations-view.ts";

const texts = messages.headline;

const LEVELS = {
  critical: { tone: "declined", icon: OctagonAlert },
  warning: { tone: "awaiting", icon: TriangleAlert },
  info: { tone: "draft", icon: Info },
} as const;

/** "Healthy", or the alarms, worst first, each with its section of the runbook. */
export function HealthSummary({ view }: { readonly view: OperationsView }) {
  const { alarms, lanes, at } = view;
  // Payouts on hold raise an alarm only after some time.
  const onHold = view.on_hold.count;
  const able = lanes.filter(({ stop, pause }) => stop === null && pause === null).length;
  const worst = alarms[0];
  return (
    <section aria-label={texts.label} aria-live="polite" className={classes.headline}>
      {worst ? null : (
        <div className={classes.alarm} data-tone="settled">
          <CircleCheck size={22} aria-hidden />
          <p className={classes.sentence}>
            {texts.healthy}
            <small>
              {lanes.length === 0 ? "" : `${texts.lanes(able, lanes.length)} `}
              {onHold === 0 ? texts.noTasks : texts.onHold(payoutsText(onHold), onHold === 1)}
            </small>
          </p>
        </div>
      )}
      {alarms.map((alarm) => (
        <AlarmLine key={alarm.code} alarm={alarm} isWorst={alarm === worst} />
      ))}
      <Text size="xs" c="dimmed">
        {texts.asOf} <Timestamp at={at} relative={false} />
      </Text>
    </section>
  );
}

function AlarmLine({ alarm, isWorst }: { readonly alarm: Alarm; readonly isWorst: boolean }) {
  const [opened, setOpened] = useState(false);
  const { tone, icon: Icon } = LEVELS[alarm.level];
  return (
    <details
      className={classes.alarm}
      data-tone={tone}
      data-worst={isWorst || undefined}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        <Icon size={isWorst ? 22 : 18} aria-hidden />
        <span className={classes.sentence}>
          {capitalized(alarm.says)}
          <small>{texts.nextSteps(texts.levels[alarm.level])}</small>
        </span>
      </summary>
      {opened ? <Runbook code={alarm.code} /> : null}
    </details>
  );
}

function Runbook({ code }: { readonly code: Alarm["code"] }) {
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/operations/runbook/:alarm", code],
    queryFn: ({ signal }) =>
      call("GET /api/operations/runbook/:alarm", { params: { alarm: code }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading lines={3} />;
  return (
    <dl className={classes.runbook}>
      {page.parts.map(({ heading, text }) => (
        <div key={heading}>
          <dt>{heading}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
