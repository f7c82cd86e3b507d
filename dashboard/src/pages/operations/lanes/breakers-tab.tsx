import { type Money } from "../../../base/money.ts";
import { Amount } from "../../../components/amount.tsx";
import { capitalized } from "../../../base/text.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { countText, type LaneView, type OperationsView } from "../shared/operations-view.ts";
import { BreakerList } from "./breaker-list.tsx";
import { messages as texts } from "./breaker-messages.tsx";
import { StoppedLanes } from "./stopped-lanes.tsx";

type Threshold = OperationsView["threshold_defaults"][number];

/** A threshold of a lane that differs from the default. */
interface Difference {
  readonly lane: string;
  readonly threshold: Threshold;
  readonly value: number;
}

/** Stops by circuit breakers, their present values, other thresholds and the defaults. */
export function BreakersTab({ view }: { readonly view: OperationsView }) {
  const { lanes, threshold_defaults: defaults } = view;
  const differences = differencesOf(lanes, defaults);
  return (
    <>
      {lanes.some(({ stop }) => stop) ? <StoppedLanes lanes={lanes} /> : null}
      <BreakerList lanes={lanes} />
      {differences.length === 0 ? null : (
        <Section title={texts.differences}>
          <DataTable
            caption={texts.differences}
            hideCaption
            columns={DIFFERENCE_COLUMNS}
            rows={differences}
            rowKey={({ lane, threshold }) => `${lane} ${threshold.name}`}
          />
        </Section>
      )}
      <Section
        title={texts.defaults}
        folds
        caption={differences.length > 0 ? undefined : texts.noDifferences}
      >
        <DataTable
          caption={texts.defaults}
          hideCaption
          columns={DEFAULT_COLUMNS}
          rows={defaults}
          rowKey={({ name }) => name}
        />
      </Section>
      <AmountLimits lanes={lanes} />
    </>
  );
}

const differencesOf = (
  lanes: readonly LaneView[],
  defaults: readonly Threshold[],
): readonly Difference[] =>
  lanes.flatMap(({ name: lane, breakers }) =>
    defaults.flatMap((threshold) => {
      const value = breakers.counts[threshold.name];
      return value === threshold.default ? [] : [{ lane, threshold, value }];
    }),
  );

const DIFFERENCE_COLUMNS: readonly Column<Difference>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => lane },
  {
    key: "threshold",
    header: texts.threshold,
    cell: ({ threshold }) => texts.thresholds[threshold.name],
  },
  { key: "value", header: texts.value, numeric: true, cell: ({ value }) => countText(value) },
  {
    key: "default",
    header: texts.default,
    numeric: true,
    cell: ({ threshold }) => countText(threshold.default),
  },
];

const DEFAULT_COLUMNS: readonly Column<Threshold>[] = [
  {
    key: "name",
    header: texts.threshold,
    names: true,
    cell: ({ name }) => texts.thresholds[name],
  },
  {
    key: "default",
    header: texts.default,
    numeric: true,
    cell: (threshold) => countText(threshold.default),
  },
  { key: "says", header: texts.meaning, cell: ({ says }) => capitalized(says) },
];

/** The highest amount in doubt of each lane that has such a limit. */
function AmountLimits({ lanes }: { readonly lanes: readonly LaneView[] }) {
  const limits = lanes.flatMap(({ name: lane, breakers: { in_doubt_amount: amount } }) =>
    amount ? [{ lane, amount }] : [],
  );
  return limits.length === 0 ? null : (
    <Section title={texts.amounts} isFlush folds>
      <DataTable
        caption={texts.amounts}
        hideCaption
        columns={AMOUNT_COLUMNS}
        rows={limits}
        rowKey={({ lane }) => lane}
      />
    </Section>
  );
}

const AMOUNT_COLUMNS: readonly Column<{ readonly lane: string; readonly amount: Money }>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => lane },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    cell: ({ amount }) => <Amount of={amount} />,
  },
];
