import { Alert, NumberInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import classes from "./operations.module.css";
import type { SeenLane } from "./seen.ts";

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });

/** "2 a second, 1 at once"; empty where nothing bounds it. */
function limitsText(limits: SeenLane["limits"]): string {
  if (!limits) return "";
  const { rate, concurrency } = limits;
  return [
    ...(rate === null ? [] : [`${NUMBER.format(rate)} a second`]),
    ...(concurrency === null ? [] : [`${concurrency} at once`]),
  ].join(", ");
}

/** How fast the lane may be sent, and whether it is slower than that at the moment; nothing where nothing bounds it. */
export function LaneLimits({ limits }: { readonly limits: SeenLane["limits"] }) {
  if (!limits) return null;
  const { slow_rate: slow, set_by: by } = limits;
  const set = limitsText(limits);
  return (
    <>
      {set ? (
        <small className={classes.why}>
          At most {set}
          {by ? ` – ${by}` : ""}
        </small>
      ) : null}
      {slow === null ? null : (
        <div>
          <span className={classes.state} data-tone="alarm">
            <Gauge size={14} aria-hidden /> slowed to {NUMBER.format(slow)} a second
          </span>
          <small className={classes.why}>
            It begins with a few after a stop, and is faster again with each second of good answers.
          </small>
        </div>
      )}
    </>
  );
}

const RATE_MAX = 10_000;
const asNumber = (typed: number | string): number | null => (typed === "" ? null : Number(typed));

/** Asks how fast the lane may be sent; an empty field is no limit. */
export function LimitDialog({
  lane: { lane, limits },
  lanes,
  onClose,
}: {
  /** As it was when the dialog was opened. */
  readonly lane: SeenLane;
  /** As they are now. */
  readonly lanes: readonly SeenLane[];
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [rate, setRate] = useState<number | string>(limits?.rate ?? "");
  const [concurrency, setConcurrency] = useState<number | string>(limits?.concurrency ?? "");
  const now = lanes.find((each) => each.lane === lane)?.limits;
  const isOther = now?.rate !== limits?.rate || now?.concurrency !== limits?.concurrency;
  const set = async ({ reason }: { readonly reason: string }) => {
    const body = { lane, reason, rate: asNumber(rate), concurrency: asNumber(concurrency) };
    await call("POST /api/lanes/set", { body });
    await client.invalidateQueries({ queryKey: ["GET /api/operations"] });
  };
  return (
    <ConfirmInNumbers
      opened
      onClose={onClose}
      title={`Limit ${lane}`}
      verb="Set limits"
      sentence="All processes together keep them, from the next payout on. An empty field is no limit."
      asksReason
      onConfirm={set}
    >
      {isOther ? (
        <Alert
          role="alert"
          color="orange"
          variant="light"
          title="Others were set since you opened it"
        >
          {now?.set_by ?? "Somebody"}: {limitsText(now ?? null) || "no limit"}. Your word takes the
          place of that one.
        </Alert>
      ) : null}
      <NumberInput
        label="Payouts a second"
        value={rate}
        onChange={setRate}
        min={0.01}
        max={RATE_MAX}
        decimalScale={6}
        hideControls
      />
      <NumberInput
        label="Requests at once"
        value={concurrency}
        onChange={setConcurrency}
        min={1}
        max={RATE_MAX}
        allowDecimal={false}
        hideControls
      />
    </ConfirmInNumbers>
  );
}
