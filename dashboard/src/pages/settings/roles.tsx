import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type Answer, call } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import type { Permission } from "../../session.ts";
import { SettingsPage } from "./frame.tsx";
import classes from "./roles.module.css";

type Matrix = Answer<"GET /api/roles">;

const PERMISSIONS: Readonly<Record<Permission, string>> = {
  read: "See batches and payouts",
  upload: "Bring files and repair them",
  collect: "Ask payers for deposits",
  approve: "Approve what others brought",
  operate: "Pause, resume, ask the gateway",
  reveal: "See full account numbers",
  audit: "Read the audit log",
  administer: "Manage users, rules and keys",
};

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
        whatever their roles are. API keys never approve and never manage users.
      </Text>
      {matrix.error ? <ErrorState error={matrix.error} /> : null}
      {matrix.data ? (
        <>
          <DataTable
            caption="What each role may"
            hideCaption
            rows={Object.keys(PERMISSIONS) as Permission[]}
            rowKey={(permission) => permission}
            columns={columnsOf(matrix.data.roles)}
          />
          <Section title="What that opens">
            {Object.entries(PERMISSIONS).map(([permission, does]) => (
              <Opened key={permission} does={does} permission={permission} {...matrix.data} />
            ))}
          </Section>
        </>
      ) : matrix.error ? null : (
        <Loading lines={8} />
      )}
    </SettingsPage>
  );
}

const columnsOf = (roles: Matrix["roles"]): Column<Permission>[] => [
  {
    key: "permission",
    header: "May",
    names: true,
    cell: (permission) => PERMISSIONS[permission],
  },
  ...roles.map(({ role, permissions }) => ({
    key: role,
    header: role,
    cell: (permission: Permission) =>
      permissions.includes(permission) ? <Check size={18} role="img" aria-label="yes" /> : "–",
  })),
];

/** The operations behind a permission, as the API tells them. */
function Opened({
  does,
  permission,
  operations,
}: { readonly does: string; readonly permission: string } & Matrix) {
  const opened = operations.filter(({ may }) => may === permission);
  return (
    <details>
      <summary className={classes.summary}>
        {does} ({opened.length})
      </summary>
      <List size="sm" mb="sm">
        {opened.map(({ name, summary, step_up }) => (
          <List.Item key={name}>
            {summary}
            {step_up ? " – needs a fresh proof of who it is" : ""}
          </List.Item>
        ))}
      </List>
    </details>
  );
}
