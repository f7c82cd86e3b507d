import { type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { formatMoney } from "../../money.ts";
import { countText, type SeenLane } from "./seen.ts";

const COUNTS = {
  doubt_count: "In doubt",
  errors_percent: "In doubt, %",
  errors_sends: "of the last",
  silence_sends: "Silent in a row",
  late_sends: "Late answers",
  unread_answers: "Unknown answers",
  unended_payouts: "None ends of",
  unended_minutes: "within minutes",
  canary_payouts: "Canary",
  canary_minutes: "Canary, minutes",
} as const satisfies Record<keyof SeenLane["brakes"]["counts"], string>;

const COLUMNS: readonly Column<SeenLane>[] = [
  { key: "lane", header: "Lane", names: true, cell: ({ lane }) => lane },
  ...Object.entries(COUNTS).map(([name, header]) => ({
    key: name,
    header,
    numeric: true,
    cell: ({ brakes }: SeenLane) => countText(brakes.counts[name as keyof typeof COUNTS]),
  })),
  {
    key: "doubt_amount",
    header: "Money in doubt",
    numeric: true,
    cell: ({ brakes: { doubt_amount: amount } }) => (amount ? formatMoney(amount) : "no ceiling"),
  },
];

/** How far each brake lets things go: set where payrun is started, for all lanes or for one. */
export const BrakeSettings = ({ lanes }: { readonly lanes: readonly SeenLane[] }) =>
  lanes.length === 0 ? null : (
    <Section title="Brakes">
      <DataTable
        caption="How far each brake lets a lane go before it holds it"
        columns={COLUMNS}
        rows={lanes}
        rowKey={({ lane }) => lane}
      />
    </Section>
  );
