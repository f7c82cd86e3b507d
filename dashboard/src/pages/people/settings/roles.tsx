import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import type { Permission } from "../../../server/session.ts";
import { SettingsPage } from "./settings-page.tsx";
import classes from "./roles.module.css";
import { messages } from "./messages.tsx";

const texts = messages.roles;

type Matrix = Answer<"GET /api/roles">;

const PERMISSIONS: Readonly<Record<Permission, string>> = texts.permissions;

/** The permissions of each role, from the table that the server enforces. */
export function RolesPage() {
  const matrix = useQuery({
    queryKey: ["GET /api/roles"],
    queryFn: ({ signal }) => call("GET /api/roles", { signal }),
  });
  return (
    <SettingsPage title={texts.title}>
      <Text>{texts.explanation}</Text>
      {matrix.error ? <ErrorState error={matrix.error} /> : null}
      {matrix.data ? (
        <>
          <DataTable
            caption={texts.caption}
            hideCaption
            rows={Object.keys(PERMISSIONS) as Permission[]}
            rowKey={(permission) => permission}
            columns={columnsOf(matrix.data.roles)}
          />
          <Section title={texts.operations}>
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
    header: texts.permission,
    names: true,
    cell: (permission) => PERMISSIONS[permission],
  },
  ...roles.map(({ role, permissions }) => ({
    key: role,
    header: role,
    cell: (permission: Permission) =>
      permissions.includes(permission) ? (
        <Check size={18} role="img" aria-label={texts.yes} />
      ) : (
        "–"
      ),
  })),
];

/** The API operations that a permission allows. */
function Opened({
  does,
  permission,
  operations,
}: { readonly does: string; readonly permission: string } & Matrix) {
  const opened = operations.filter(({ may }) => may === permission);
  return (
    <details>
      <summary className={classes.summary}>{texts.count(does, opened.length)}</summary>
      <List size="sm" mb="sm">
        {opened.map(({ name, summary, step_up }) => (
          <List.Item key={name}>{step_up ? texts.stepUp(summary) : summary}</List.Item>
        ))}
      </List>
    </details>
  );
}
