import { Button, Input, SegmentedControl, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { dateText } from "../../base/dates.ts";
import { useAfterTyping } from "../../base/list/use-after-typing.ts";
import { DateField, TimeField } from "../../components/forms/date-field.tsx";
import { ZoneField } from "../../components/forms/zone-field.tsx";
import { ApiProblem, call } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import { sendTimeMessages as texts } from "./send-time-messages.ts";
import { type SendTimeChoice, sendTimeText } from "./send-time-choice.ts";
import classes from "./send-time-fields.module.css";

interface Fields {
  readonly id: string;
  readonly chosen: SendTimeChoice;
  readonly change: (chosen: SendTimeChoice) => void;
}

/** Fields for the send time: immediately, or a time in a time zone with its consequences. */
export function SendTimeFields({
  id,
  chosen,
  change,
  isLater = false,
  late = null,
}: Fields & {
  /** The batch has a send time, and the reader chooses another one. */
  readonly isLater?: boolean;
  /** The scheduled time, if it has passed. */
  readonly late?: string | null;
}) {
  return (
    <>
      {isLater ? null : (
        <div>
          <Input.Label labelElement="div" className={classes.label} aria-hidden>
            {texts.title}
          </Input.Label>
          <SegmentedControl
            aria-label={texts.title}
            value={chosen.kind}
            onChange={(kind) => change({ ...chosen, kind: kind === "at" ? "at" : "now" })}
            data={[
              { value: "now", label: texts.immediately },
              { value: "at", label: texts.schedule },
            ]}
          />
        </div>
      )}
      {chosen.kind === "now" ? (
        late === null ? null : (
          <Text size="sm">{texts.passed(late)}</Text>
        )
      ) : (
        <TimeOfDay id={id} chosen={chosen} change={change} />
      )}
    </>
  );
}

const TimeOfDay = ({ id, chosen, change }: Fields) => (
  <>
    <div className={classes.fields} data-send="fields">
      <DateField
        label={texts.date}
        value={chosen.date}
        onChange={(date) => change({ ...chosen, date })}
        className={classes.date}
        required
      />
      <TimeField
        label={texts.time}
        value={chosen.time}
        onChange={(time) => change({ ...chosen, time })}
        className={classes.time}
        required
      />
      <div className={classes.zone}>
        <ZoneField
          label={texts.zone}
          value={chosen.zone}
          onChange={(zone) => change({ ...chosen, zone })}
        />
      </div>
    </div>
    <div className={classes.report} data-send="report">
      <LastWorkingDay id={id} chosen={chosen} change={change} />
      {chosen.date === "" ? null : <SendTimeReport id={id} at={sendTimeText(chosen)} />}
    </div>
  </>
);

/** A button that chooses the last working day of the month in the currencies of the batch. */
function LastWorkingDay({ id, chosen, change }: Fields) {
  const zone = useAfterTyping(chosen.zone);
  const { data } = useQuery({
    queryKey: ["GET /api/batches/:id/last-working-day", id, zone],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/last-working-day", { params: { id }, query: { zone }, signal }),
    retry: false,
    staleTime: 3_600_000,
  });
  if (!data || data.date === chosen.date) return null;
  return (
    <div>
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => change({ ...chosen, date: data.date })}
      >
        {texts.lastWorkingDay(dateText(data.date))}
      </Button>
    </div>
  );
}

/** The report on a send time before it is chosen: validity and missed cut-offs. */
export const sendTimeQuery = (id: string, at: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/send-time", id, at],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/send-time", { params: { id }, query: { at }, signal }),
    retry: false,
    // A time may pass while the form is open.
    refetchInterval: 30_000,
  });

function SendTimeReport({ id, at }: { readonly id: string; readonly at: string }) {
  const { data: report, error } = useQuery(sendTimeQuery(id, at));
  return (
    <div role="status">
      {error instanceof ApiProblem ? (
        <Text size="xs" data-tone="awaiting" c="var(--tone-fg)">
          {texts.invalid}
        </Text>
      ) : null}
      {report ? (
        <>
          <Text size="xs">{report.has_passed ? texts.isPast : texts.planned(report.says)}</Text>
          {report.misses.map((miss) => (
            <Text key={miss} size="xs" data-tone="awaiting" c="var(--tone-fg)">
              {messages.sheet.missedCutOff(miss)}
            </Text>
          ))}
        </>
      ) : null}
    </div>
  );
}
