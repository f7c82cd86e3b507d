import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type Answer, call } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { SettingsPage } from "./frame.tsx";

type Matrix = Answer<"GET /api/roles">;
type Operation = Matrix["operations"][number];

/** What the server enforces, from the very table that it enforces it by. */
export function RolesPage() {
  const matrix = useQuery({
    queryKey: ["GET /api/roles"],
    queryFn: ({ signal }) => call("GET /api/roles", { signal }),
  });
  return (
    <SettingsPage title="Who may do what">
      <Text>
        What is not listed is refused to everybody. Nobody approves what they brought or edited,
        whatever their roles are.
      </Text>
      {matrix.error ? <ErrorState error={matrix.error} /> : null}
      {matrix.data ? (
        <Section title="Operations by role">
          <MatrixTable {...matrix.data} />
        </Section>
      ) : (
        <Loading lines={8} />
      )}
    </SettingsPage>
  );
}

function MatrixTable({ roles, operations }: Matrix) {
  const guarded = operations.filter(({ may }) => may !== "public");
  return (
    <DataTable
      caption="Every operation, and the roles that may do it"
      hideCaption
      rows={guarded}
      rowKey={({ name }) => name}
      columns={columnsOf(roles)}
    />
  );
}

const columnsOf = (roles: Matrix["roles"]): Column<Operation>[] => [
  {
    key: "summary",
    header: "Operation",
    names: true,
    cell: ({ summary, step_up }) => (
      <>
        {summary}
        {step_up ? (
          <Text size="xs" c="dimmed">
            needs a fresh proof
          </Text>
        ) : null}
      </>
    ),
  },
  ...roles.map(({ role, permissions }) => ({
    key: role,
    header: role,
    cell: ({ may }: Operation) => {
      const isAllowed = may === "signed_in" || permissions.some((each) => each === may);
      return isAllowed ? <Check size={18} role="img" aria-label="may" /> : "–";
    },
  })),
];
