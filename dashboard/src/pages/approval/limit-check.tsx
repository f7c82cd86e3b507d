import { Alert, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";

const texts = messages.limits;

type LimitReport = Answer<"GET /api/batches/:id/limits">;
type Lane = LimitReport["funds"][number];

/** Shows the payout limits that the batch exceeds, and whether the balances cover it. */
export function LimitCheck({ batchId: id }: { readonly batchId: string }) {
  const { data: held, error } = useQuery({
    queryKey: ["GET /api/batches/:id/limits", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/limits", { params: { id }, signal }),
    refetchInterval: 60_000,
  });
  return (
    <Section title={texts.title}>
      {error && !held ? <ErrorState error={error} /> : null}
      {held ? (
        <LimitResult held={held} />
      ) : error ? null : (
        <Text role="status">{texts.checking}</Text>
      )}
    </Section>
  );
}

function LimitResult({
  held: { exceeded: passed, funds, refused },
}: {
  readonly held: LimitReport;
}) {
  const doubtful = funds.filter(({ state }) => state !== "enough");
  return (
    <>
      {passed.length === 0 ? <Text size="sm">{texts.none}</Text> : <ExceededLimits of={passed} />}
      {doubtful.length > 0 ? (
        <Alert
          color="orange"
          variant="light"
          title={doubtful.some(({ state }) => state === "short") ? texts.short : texts.unknown}
        >
          <List size="sm">
            {doubtful.map(({ lane, says }) => (
              <List.Item key={lane}>{says}</List.Item>
            ))}
          </List>
          {refused ? <Text size="sm">{texts.refused}</Text> : null}
        </Alert>
      ) : null}
      {funds.length > 0 ? (
        <DataTable
          caption={texts.caption}
          columns={COLUMNS}
          rows={funds}
          rowKey={({ lane }) => lane}
        />
      ) : null}
    </>
  );
}

function ExceededLimits({ of }: { readonly of: LimitReport["exceeded"] }) {
  const isHard = of.some(({ hard }) => hard);
  return (
    <Alert
      color={isHard ? "red" : "orange"}
      variant="light"
      title={isHard ? texts.hard : texts.soft}
    >
      <List size="sm">
        {of.map(({ says, remedy, scope, hard }) => (
          <List.Item key={`${scope} ${hard} ${says}`}>
            {says} {remedy}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const COLUMNS: readonly Column<Lane>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => lane },
  {
    key: "needed",
    header: texts.needed,
    numeric: true,
    cell: ({ needed }) => <Amount of={needed} />,
  },
  {
    key: "free",
    header: texts.free,
    numeric: true,
    cell: ({ free }) => (free ? <Amount of={free} /> : texts.notKnown),
  },
  {
    key: "reserved",
    header: texts.reserved,
    numeric: true,
    cell: ({ reserved }) => <Amount of={reserved} />,
  },
  {
    key: "balance",
    header: texts.balance,
    numeric: true,
    cell: ({ balance }) => (balance ? <Amount of={balance} /> : texts.notKnown),
  },
  { key: "at", header: texts.asOf, cell: ({ reported_at: at }) => <Timestamp at={at} /> },
];
