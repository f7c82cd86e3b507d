import { Button, Text } from "@mantine/core";
import type { Answer } from "../../../../server/client.ts";
import type { Column } from "../../../../components/data-table.tsx";
import { messages } from "../messages.tsx";

const texts = messages.users;

/** A user as the list of users shows them. */
export type User = Answer<"GET /api/users">["items"][number];

/** The columns with the name, e-mail address and roles of a user. */
export const USER_COLUMNS: readonly Column<User>[] = [
  {
    key: "name",
    header: texts.name,
    names: true,
    cell: ({ name, email }) => (
      <>
        {name}
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { key: "roles", header: texts.roles, cell: ({ roles }) => roles.join(", ") },
];

/** The button of an action on one user. */
export const UserAction = ({
  user,
  verb,
  onAct,
}: {
  readonly user: User;
  readonly verb: string;
  readonly onAct: (user: User) => void;
}) => (
  <Button
    size="xs"
    variant="default"
    aria-label={texts.labelOf(verb, user.name)}
    onClick={() => onAct(user)}
  >
    {verb}
  </Button>
);
