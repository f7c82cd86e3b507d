import { Checkbox, Stack } from "@mantine/core";
import type { Answer } from "../../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.roles;

/** A role of a user. */
export type Role = Answer<"GET /api/users">["items"][number]["roles"][number];

const ROLES: Readonly<Record<Role, string>> = texts.does;

/** The roles in the order in which they are shown. */
export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** Checkboxes for the roles of a user, each with an explanation. */
export function RoleChoice({
  roles,
  onChange,
}: {
  readonly roles: readonly Role[];
  readonly onChange: (roles: readonly Role[]) => void;
}) {
  return (
    <Checkbox.Group
      label={texts.label}
      description={texts.hint}
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
