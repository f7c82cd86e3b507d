import { Checkbox, Stack } from "@mantine/core";
import type { Answer } from "../../client.ts";

export type Role = Answer<"GET /api/users">["items"][number]["roles"][number];

/** In the words of the people who do it. */
const ROLES: Readonly<Record<Role, string>> = {
  viewer: "sees batches and payouts",
  uploader: "brings files, repairs them and asks for deposits; never approves files",
  approver: "approves what others brought; sees full account numbers",
  operator: "pauses, resumes, asks the gateway, resolves; sees full account numbers",
  auditor: "reads the audit log; sees full account numbers",
  admin: "manages users, rules and keys; moves no money",
};

export function RoleChoice({
  roles,
  onChange,
}: {
  readonly roles: readonly Role[];
  readonly onChange: (roles: readonly Role[]) => void;
}) {
  return (
    <Checkbox.Group
      label="Roles"
      description="Whoever both brings and approves may still never approve what they brought."
      value={[...roles]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {Object.entries(ROLES).map(([role, does]) => (
          <Checkbox key={role} value={role} label={role} description={does} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
