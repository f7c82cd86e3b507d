import { Alert, NumberInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ConfirmAction } from "../../../components/forms/confirm-action.tsx";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import type { LaneView } from "../shared/operations-view.ts";

const texts = messages.limits;

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });

/** "2 per second, 1 concurrent"; empty without limits. */
function limitsText(limits: LaneView["limits"]): string {
  if (!limits) return "";
  const { rate, concurrency } = limits;
  return [
    ...(rate === null ? [] : [texts.perSecond(NUMBER.format(rate))]),
    ...(concurrency === null ? [] : [texts.concurrent(concurrency)]),
  ].join(", ");
}

/** The rate limits of a lane, and its lower rate after a stop. */
export function LaneLimits({ limits }: { readonly limits: LaneView["limits"] }) {
  if (!limits) return null;
  const { slow_rate: slow, set_by: by } = limits;
  const set = limitsText(limits);
  return (
    <>
      {set ? (
        <small className={classes.why}>
          {texts.atMost(set)}
          {by ? ` – ${by}` : ""}
        </small>
      ) : null}
      {slow === null ? null : (
        <div>
          <span className={classes.state} data-tone="hold">
            <Gauge size={14} aria-hidden /> {texts.slowed(NUMBER.format(slow))}
          </span>
          <small className={classes.why}>{texts.slowedWhy}</small>
        </div>
      )}
    </>
  );
}

const RATE_MAX = 10_000;
const asNumber = (typed: number | string): number | null => (typed === "" ? null : Number(typed));

/** Sets the rate limits of a lane. An empty field removes the limit. */
export function RateLimitDialog({
  lane: { lane, name, limits },
  lanes,
  onClose,
}: {
  /** The lane when the dialog was opened. */
  readonly lane: LaneView;
  /** The current lanes. */
  readonly lanes: readonly LaneView[];
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [rate, setRate] = useState<number | string>(limits?.rate ?? "");
  const [concurrency, setConcurrency] = useState<number | string>(limits?.concurrency ?? "");
  const now = lanes.find((each) => each.lane === lane)?.limits;
  const isOther = now?.rate !== limits?.rate || now?.concurrency !== limits?.concurrency;
  const set = async ({ reason }: { readonly reason: string }) => {
    const body = { lane, reason, rate: asNumber(rate), concurrency: asNumber(concurrency) };
    await call("POST /api/lanes/rate-limits", { body });
    await client.invalidateQueries({ queryKey: ["GET /api/operations"] });
  };
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.title(name)}
      verb={texts.save}
      sentence={texts.sentence}
      asksReason
      onConfirm={set}
    >
      {isOther ? (
        <Alert role="alert" color="orange" variant="light" title={texts.changed}>
          {texts.replaces(now?.set_by ?? texts.somebody, limitsText(now ?? null) || texts.noLimit)}
        </Alert>
      ) : null}
      <NumberInput
        label={texts.rate}
        value={rate}
        onChange={setRate}
        min={0.01}
        max={RATE_MAX}
        decimalScale={6}
        hideControls
      />
      <NumberInput
        label={texts.concurrency}
        value={concurrency}
        onChange={setConcurrency}
        min={1}
        max={RATE_MAX}
        allowDecimal={false}
        hideControls
      />
    </ConfirmAction>
  );
}
