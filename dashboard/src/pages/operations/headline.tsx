import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { When } from "../../components/when.tsx";
import classes from "./operations.module.css";
import { type Alarm, payoutsText } from "./seen.ts";

const LEVELS = {
  stop: { word: "Act now", tone: "bad", icon: OctagonAlert },
  look: { word: "Look today", tone: "alarm", icon: TriangleAlert },
  know: { word: "Good to know", tone: "quiet", icon: Info },
} as const;

/** One sentence: healthy, or the worst that is the matter; the others below it, each with its page of the runbook. */
export function Headline({
  alarms,
  held,
  at,
}: {
  readonly alarms: readonly Alarm[];
  /** Payouts that a person decides about; no alarm for a while. */
  readonly held: number;
  readonly at: string;
}) {
  const worst = alarms[0];
  return (
    <section aria-label="State" aria-live="polite" className={classes.headline}>
      {worst ? null : (
        <div className={classes.alarm} data-tone="good">
          <CircleCheck size={22} aria-hidden />
          <p className={classes.sentence}>
            Healthy
            <small>
              {held === 0
                ? "Nothing needs a person."
                : `${payoutsText(held)} ${held === 1 ? "needs" : "need"} a person, and not at once.`}
            </small>
          </p>
        </div>
      )}
      {alarms.map((alarm) => (
        <AlarmLine key={alarm.code} alarm={alarm} isWorst={alarm === worst} />
      ))}
      <Text size="xs" c="dimmed">
        As of <When at={at} relative={false} />
      </Text>
    </section>
  );
}

function AlarmLine({ alarm, isWorst }: { readonly alarm: Alarm; readonly isWorst: boolean }) {
  const [opened, setOpened] = useState(false);
  const { word, tone, icon: Icon } = LEVELS[alarm.level];
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
          {alarm.says.charAt(0).toUpperCase() + alarm.says.slice(1)}
          <small>{word} · what to do</small>
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
