import { Text } from "@mantine/core";
import { dateText } from "../../../base/dates.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { LaneName, useLaneName } from "../../../components/payout/lane-name.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { isStarted, type ReconciledLane } from "../lane-query.ts";
import { messages } from "../messages.ts";

const texts = messages.lanes;

/** Every lane with its last statement, its closed and open days, and its breaks. */
export function Lanes({ of }: { readonly of: readonly ReconciledLane[] }) {
  const laneName = useLaneName();
  const currencies = of.map(({ lane }) => currencyIn(lane));
  // A currency names a lane if only one account has it.
  const shortName = (lane: string): string =>
    currencies.indexOf(currencyIn(lane)) === currencies.lastIndexOf(currencyIn(lane))
      ? currencyIn(lane)
      : laneName(lane);
  const started = of.filter(isStarted);
  const others = of.filter((lane) => !isStarted(lane));
  return (
    <Section title={texts.title} isFlush>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={started}
        rowKey={({ lane }) => lane}
      />
      {others.length === 0 ? null : (
        <Text size="xs" c="dimmed" p="sm" px="md">
          {texts.others(others.map(({ lane }) => shortName(lane)))}
        </Text>
      )}
    </Section>
  );
}

const currencyIn = (lane: string): string => lane.slice(lane.lastIndexOf("/") + 1);

const daysAddress = (lane: string): string =>
  `/reconciliation/days?${new URLSearchParams({ lane }).toString()}`;

const COLUMNS: readonly Column<ReconciledLane>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "statement",
    header: texts.statement,
    cell: ({ last_statement: statement }) =>
      statement === null ? (
        texts.none
      ) : (
        <>
          <span>{dateText(statement.day)}</span>
          <Text size="xs" c="dimmed">
            {statement.is_compared ? null : `${texts.notCompared} · `}
            <UserText text={statement.file_name} />
          </Text>
        </>
      ),
  },
  {
    key: "closed",
    header: texts.closed,
    cell: ({ last_closed_day: day }) => (day === null ? texts.none : dateText(day)),
  },
  {
    key: "open",
    header: texts.open,
    numeric: true,
    cell: ({ lane, open_days: open }) => (
      <PageLink to={daysAddress(lane)}>
        {open === null ? texts.notStarted : open.toLocaleString()}
      </PageLink>
    ),
  },
  {
    key: "breaks",
    header: texts.breaks,
    numeric: true,
    cell: ({ lane, unresolved_breaks: breaks, last_statement: statement }) =>
      breaks > 0 ? (
        <PageLink to={`/reconciliation?${new URLSearchParams({ lane }).toString()}`} row>
          {breaks.toLocaleString()}
        </PageLink>
      ) : // Without a comparison, no break says nothing.
      statement?.is_compared ? (
        texts.noBreaks
      ) : (
        "–"
      ),
  },
];
