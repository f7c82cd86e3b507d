import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { useLaneName } from "../../../components/payout/lane-name.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { call } from "../../../server/client.ts";
import { dateText } from "../../../base/dates.ts";
import { AmountLine } from "../../../components/amount.tsx";
import { isolateDirection } from "../../../base/text.ts";
import { type ListedBreak, sumOfDifferences } from "../break-amounts.ts";
import { messages } from "../messages.ts";
import { messages as texts } from "./messages.ts";
import classes from "./upload.module.css";
import type { StatementResult } from "./use-statement.ts";

/** Maximum number of breaks whose differences are added up. */
const BREAKS_MAX = 200;

/** The result of a comparison: its counts and breaks, and the next step. */
export function ComparisonResult({
  of: { statement, comparison },
  fileName,
  onNext,
}: {
  readonly of: StatementResult;
  readonly fileName: string;
  /** Shows the form for another statement. */
  readonly onNext: () => void;
}) {
  const { lane, day } = statement;
  const laneName = useLaneName();
  const isDoubtful = comparison !== null && isHalfMissing(comparison);
  const total = Object.values(comparison?.breaks ?? {}).reduce((sum, count) => sum + count, 0);
  const filter = new URLSearchParams({ lane, day }).toString();
  const dayPage = `/reconciliation/days/${day}?${new URLSearchParams({ lane }).toString()}`;
  return (
    <Section
      title={texts.result}
      caption={[laneName(lane), dateText(day), isolateDirection(fileName)].join(" · ")}
    >
      <Stack>
        {statement.is_new ? null : <Text size="sm">{texts.known}</Text>}
        {comparison ? (
          <Counts of={comparison} lines={statement.lines} total={total} />
        ) : (
          <Text size="sm">
            {texts.proposed} <PageLink to="/reconciliation">{texts.toReplacements}</PageLink>
          </Text>
        )}
        {comparison && total > 0 ? (
          <Breaks counts={comparison.breaks} lane={lane} day={day} />
        ) : null}
        <Group>
          {total > 0 ? (
            <Button
              component={Link}
              to={`/reconciliation?${filter}`}
              variant={isDoubtful ? "default" : "filled"}
            >
              {texts.review(total)}
            </Button>
          ) : null}
          {comparison ? (
            <Button component={Link} to={dayPage} variant={total > 0 ? "default" : "filled"}>
              {texts.toDay}
            </Button>
          ) : null}
          <Button variant={isDoubtful ? "filled" : "default"} onClick={onNext}>
            {texts.another}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

type Comparison = NonNullable<StatementResult["comparison"]>;

/** Whether so many payouts are missing that the file is probably not the right one. */
const isHalfMissing = ({ payouts, matched }: Comparison): boolean =>
  payouts > 0 && matched * 2 <= payouts;

function Counts({
  of: comparison,
  lines,
  total,
}: {
  readonly of: Comparison;
  readonly lines: number;
  readonly total: number;
}) {
  const { payouts, matched, others, counted_here: here, closed, reopened } = comparison;
  const notes = [
    total === 0 ? texts.noBreaks : "",
    others > 0 ? texts.others(others) : "",
    here > 0 ? texts.countedHere(here) : "",
    comparison.has_balances ? "" : texts.noBalances,
    reopened > 0 ? texts.reopened(reopened) : "",
    closed > 0 ? texts.closed(closed) : "",
  ].filter(Boolean);
  return (
    <>
      <dl className={classes.numbers}>
        {[
          [texts.fileLines, lines.toLocaleString()] as const,
          [texts.onStatement, texts.ofPayouts(matched, payouts)] as const,
          [texts.found, total.toLocaleString()] as const,
        ].map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      {isHalfMissing(comparison) ? (
        <Alert variant="light" color="orange" title={texts.halfMissing(payouts - matched, payouts)}>
          {texts.maybeIncomplete}
        </Alert>
      ) : null}
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
    </>
  );
}

interface Kind {
  readonly name: string;
  /** The list of the breaks. */
  readonly to: string;
  readonly count: number;
  readonly breaks: readonly ListedBreak[];
}

const CLASS_NAMES: Readonly<Record<string, string>> = messages.classes;

const COLUMNS: readonly Column<Kind>[] = [
  {
    key: "kind",
    header: texts.kind,
    names: true,
    cell: ({ name, to }) => <PageLink to={to}>{CLASS_NAMES[name] ?? name}</PageLink>,
  },
  {
    key: "count",
    header: texts.number,
    numeric: true,
    cell: ({ count }) => count.toLocaleString(),
  },
  {
    key: "difference",
    header: texts.difference,
    numeric: true,
    cell: ({ breaks }) => {
      const sums = sumOfDifferences(breaks);
      return sums.length === 0 ? "–" : <AmountLine of={sums} isSigned />;
    },
  },
];

/** The breaks of each kind, with a link to their list and the sum of their differences. */
function Breaks({
  counts,
  lane,
  day,
}: {
  readonly counts: Comparison["breaks"];
  readonly lane: string;
  readonly day: string;
}) {
  const { data } = useQuery({
    queryKey: ["GET /api/breaks", "statement", lane, day],
    queryFn: ({ signal }) =>
      call("GET /api/breaks", { query: { lane, day, limit: BREAKS_MAX }, signal }),
  });
  const items = data?.items ?? [];
  return (
    <>
      <DataTable
        caption={texts.breakCaption}
        hideCaption
        columns={COLUMNS}
        rows={Object.entries(counts).map(([name, count]) => ({
          name,
          to: `/reconciliation?${new URLSearchParams({ class: name, lane, day }).toString()}`,
          count,
          breaks: items.filter((each) => each.class === name),
        }))}
        rowKey={({ name }) => name}
      />
      {data?.next ? (
        <Text size="xs" c="dimmed">
          {texts.moreBreaks(BREAKS_MAX)}
        </Text>
      ) : null}
    </>
  );
}
