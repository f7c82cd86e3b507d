import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import type { Column } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatAmount, formatMoney } from "../../base/money.ts";
import { batchName } from "../../base/text.ts";
import { AccountEnding, FindingRows } from "./finding-rows.tsx";
import { messages } from "./messages.tsx";

const texts = messages.comparison;

type BatchComparison = Answer<"GET /api/batches/:id/comparison">;
type Part = BatchComparison["parts"][number];
type Row = Part["rows"][number];

/** Compares the batch with the previous batch that pays the same accounts. */
export function Comparison({ id }: { readonly id: string }) {
  const {
    data: comparison,
    error,
    refetch,
  } = useQuery({
    queryKey: ["GET /api/batches/:id/comparison", id],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/comparison", { params: { id }, query: {}, signal }),
    staleTime: Infinity,
  });
  return (
    <Section title={texts.title}>
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {comparison ? (
        <ComparisonResult comparison={comparison} />
      ) : error ? null : (
        <Text role="status">{texts.comparing}</Text>
      )}
    </Section>
  );
}

function ComparisonResult({
  comparison: { against, totals, parts },
}: {
  readonly comparison: BatchComparison;
}) {
  if (!against) return <Text size="sm">{texts.none}</Text>;
  return (
    <>
      <Text size="sm">
        <PageLink to={`/batches/${against.batch_id}`}>
          <UserText text={batchName(against)} />
        </PageLink>
        , {texts.payouts(against.payouts)}, <Timestamp at={against.created_at} />
      </Text>
      {totals.map(({ currency, amount, before, times }) => (
        <Text size="sm" key={currency}>
          {before === null
            ? texts.notBefore(formatMoney({ currency, amount }))
            : texts.total(formatMoney({ currency, amount }), formatAmount(before), times)}
        </Text>
      ))}
      <div>
        {parts.map((part) =>
          part.part === "same" ? (
            <Text size="sm" c="dimmed" key={part.part}>
              {part.count.toLocaleString()} · {part.says}
            </Text>
          ) : (
            <FindingRows
              key={part.part}
              of={part}
              tone={CALM.has(part.part) ? "progress" : "awaiting"}
              columns={part.rows.some(({ before }) => before !== null) ? [BEFORE] : []}
            />
          ),
        )}
      </div>
    </>
  );
}

const CALM = new Set<Part["part"]>(["new", "missing", "other_amount"]);

const BEFORE: Column<Row> = {
  key: "before",
  header: texts.before,
  numeric: true,
  cell: ({ before, account_last4 }) =>
    before === null ? (
      "–"
    ) : (
      <>
        {formatAmount(before.amount)}
        {before.account_last4 === account_last4 ? null : (
          <AccountEnding of={before.account_last4} />
        )}
      </>
    ),
};
