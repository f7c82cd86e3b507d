import { Alert, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";

type Held = Answer<"GET /api/batches/:id/limits">;
type Lane = Held["funds"][number];

/** Which limits the batch would pass, and whether its money is there. */
export function Limits({ batchId: id }: { readonly batchId: string }) {
  const { data: held, error } = useQuery({
    queryKey: ["GET /api/batches/:id/limits", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/limits", { params: { id }, signal }),
    refetchInterval: 60_000,
  });
  return (
    <Section title="Limits and balance">
      {error && !held ? <ErrorState error={error} /> : null}
      {held ? <Shown held={held} /> : error ? null : <Text role="status">Looking.</Text>}
    </Section>
  );
}

function Shown({ held: { passed, funds, refused } }: { readonly held: Held }) {
  const doubtful = funds.filter(({ state }) => state !== "enough");
  return (
    <>
      {passed.length === 0 ? <Text size="sm">No limit is passed.</Text> : <Passed of={passed} />}
      {doubtful.length > 0 ? (
        <Alert
          color="orange"
          variant="light"
          title={
            doubtful.some(({ state }) => state === "short")
              ? "The balance does not cover it"
              : "The balance is not known"
          }
        >
          <List size="sm">
            {doubtful.map(({ lane, says }) => (
              <List.Item key={lane}>{says}</List.Item>
            ))}
          </List>
          {refused ? <Text size="sm">It cannot be approved like this.</Text> : null}
        </Alert>
      ) : null}
      {funds.length > 0 ? (
        <DataTable
          caption="What is in the accounts, and what is spoken for"
          columns={COLUMNS}
          rows={funds}
          rowKey={({ lane }) => lane}
        />
      ) : null}
    </>
  );
}

function Passed({ of }: { readonly of: Held["passed"] }) {
  const isHard = of.some(({ hard }) => hard);
  return (
    <Alert
      color={isHard ? "red" : "orange"}
      variant="light"
      title={isHard ? "It cannot be approved: a limit is passed" : "It takes one more person"}
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
  { key: "lane", header: "Lane", names: true, cell: ({ lane }) => lane },
  {
    key: "needed",
    header: "This batch",
    numeric: true,
    cell: ({ needed }) => <Amount of={needed} />,
  },
  {
    key: "free",
    header: "Free",
    numeric: true,
    cell: ({ free }) => (free ? <Amount of={free} /> : "not known"),
  },
  {
    key: "reserved",
    header: "Reserved for others",
    numeric: true,
    cell: ({ reserved }) => <Amount of={reserved} />,
  },
  {
    key: "balance",
    header: "Balance",
    numeric: true,
    cell: ({ balance }) => (balance ? <Amount of={balance} /> : "not known"),
  },
  { key: "at", header: "As of", cell: ({ told_at: at }) => <When at={at} /> },
];
