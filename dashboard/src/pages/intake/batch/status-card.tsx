import { Title, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useId } from "react";
import type { Part } from "#approval/status-breakdown.ts";
import {
  isBeforeRequest,
  isFinished,
  isScheduled,
  PART_DISPLAY,
  partWord,
} from "../../../base/state.ts";
import { BalanceVerdict } from "../../../components/payout/status-breakdown.tsx";
import { PartDot, partsInOrder, PlainStateBar } from "../../../components/payout/state-bar.tsx";
import type { StreamStatus } from "../../../server/live.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { LiveStatus } from "./live-status.tsx";
import classes from "./status-card.module.css";
import { stateFilter } from "./search-params.ts";
import { sharesOf } from "../shares.ts";
import { partCount, processedCount } from "./status-sentence.ts";

const texts = messages.status;

const route = getRouteApi("/dashboard/batches/$id");

/**
 * Answers how much of the batch is settled: the headline, the bar, and one button per state that
 * filters the payouts below.
 */
export function StatusCard({
  batch,
  liveness,
}: {
  readonly batch: BatchView;
  /** Null: the batch is not being sent. */
  readonly liveness: StreamStatus | null;
}) {
  const id = useId();
  const isApproved = batch.approved_at !== null;
  const parts = partsInOrder(
    (batch.equation[0]?.parts ?? []).map(({ part }) => ({ part, count: partCount(batch, part) })),
  );
  return (
    <section aria-labelledby={id} className={classes.card}>
      <div className={classes.head}>
        <div>
          <VisuallyHidden>
            <Title order={2} id={id}>
              {texts.title}
            </Title>
          </VisuallyHidden>
          {isApproved && isFinished(batch.state) ? null : (
            <p className={classes.headline}>
              <strong>{texts.figure(processedCount(batch), batch.payouts, isApproved)}</strong>{" "}
              {isApproved ? texts.processed : texts.uploaded(batch.payouts)}
              {liveness === null ? null : <LiveStatus liveness={liveness} batch={batch} />}
            </p>
          )}
        </div>
        <BalanceVerdict lines={batch.equation} isApproved={isApproved} />
      </div>
      {isApproved && !isScheduled(batch.send) ? <PlainStateBar parts={parts} isLarge /> : null}
      <StateFilter parts={parts} batch={batch} />
    </section>
  );
}

/** The filter of a part. The payouts of one batch are all drafts, all blocked, or neither. */
function partFilter(part: Part, batch: BatchView): string {
  if (part !== "awaiting_approval") return stateFilter(part);
  if (isBeforeRequest(batch.state)) return "draft";
  return batch.needs_duplicate_reason ? "blocked" : part;
}

/** The buttons that filter the payouts of the page by state. */
function StateFilter({
  parts,
  batch,
}: {
  readonly parts: readonly { readonly part: Part; readonly count: number }[];
  readonly batch: BatchView;
}) {
  const { payouts } = batch;
  const shares = sharesOf(parts.map(({ count }) => count));
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (part: Part | undefined): void =>
    void navigate({
      search: part === undefined ? {} : { state: partFilter(part, batch) },
      resetScroll: false,
    });
  return (
    <fieldset className={classes.keys}>
      <legend>
        <VisuallyHidden>{texts.filter}</VisuallyHidden>
      </legend>
      <UnstyledButton
        className={classes.key}
        aria-pressed={state === undefined}
        onClick={() => show(undefined)}
      >
        <span className={classes.word}>{texts.all}</span>
        <Figure count={payouts} of={payouts} share={1_000} />
      </UnstyledButton>
      {parts.map(({ part, count }, at) => (
        <UnstyledButton
          key={part}
          className={classes.key}
          data-tone={PART_DISPLAY[part].tone}
          data-proven={part === "settled" || undefined}
          aria-pressed={state === partFilter(part, batch)}
          onClick={() => show(state === partFilter(part, batch) ? undefined : part)}
        >
          <span className={classes.word}>
            <PartDot part={part} />
            <span>{partWord(part, batch)}</span>
          </span>
          <Figure count={count} of={payouts} share={shares[at] ?? 0} />
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

const Figure = ({
  count,
  of,
  share,
}: {
  readonly count: number;
  readonly of: number;
  /** In tenths of a percent. */
  readonly share: number;
}) => (
  <span className={classes.figure}>
    <strong>{count.toLocaleString()}</strong> <small>{texts.share(count, of, share)}</small>
  </span>
);
