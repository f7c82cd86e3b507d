import { type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { formatMoney } from "../../base/money.ts";
import { messages } from "./messages.ts";
import { countText, type LaneView } from "./operations-view.ts";

const texts = messages.breakers;

type Threshold = keyof LaneView["breakers"]["counts"];
const THRESHOLDS: Readonly<Record<Threshold, string>> = texts.thresholds;

const COLUMNS: readonly Column<LaneView>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => lane },
  ...Object.entries(THRESHOLDS).map(([name, header]) => ({
    key: name,
    header,
    numeric: true,
    cell: ({ breakers }: LaneView) => countText(breakers.counts[name as Threshold]),
  })),
  {
    key: "in_doubt_amount",
    header: texts.doubtAmount,
    numeric: true,
    cell: ({ breakers: { in_doubt_amount: amount } }) =>
      amount ? formatMoney(amount) : texts.noLimit,
  },
];

/**
 * The thresholds of the circuit breakers, which the configuration sets for all lanes or for one.
 */
export const CircuitBreakerThresholds = ({ lanes }: { readonly lanes: readonly LaneView[] }) =>
  lanes.length === 0 ? null : (
    <Section title={texts.title}>
      <DataTable
        caption={texts.caption}
        isWide
        columns={COLUMNS}
        rows={lanes}
        rowKey={({ lane }) => lane}
      />
    </Section>
  );
