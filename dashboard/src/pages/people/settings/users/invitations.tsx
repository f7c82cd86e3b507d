import { Badge, Button, Group, Text } from "@mantine/core";
import type { Answer } from "../../../../server/client.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { Section } from "../../../../components/section.tsx";
import { Timestamp, useNow } from "../../../../components/timestamp.tsx";
import { invitationMessages as texts } from "./invitation-messages.tsx";

type User = Answer<"GET /api/users">["items"][number];

interface Actions {
  readonly onNewLink: (user: User) => void;
  readonly onWithdraw: (user: User) => void;
}

/** The invited users who have not chosen a password yet, with the end of their links. */
export function Invitations({ users, ...actions }: Actions & { readonly users: readonly User[] }) {
  const nowMs = useNow();
  if (users.length === 0) return null;
  return (
    <Section isFlush title={texts.title} badge={<Badge variant="light">{users.length}</Badge>}>
      <DataTable
        caption={texts.caption}
        hideCaption
        rows={users}
        rowKey={({ id }) => id}
        columns={columnsOf(nowMs, actions)}
      />
    </Section>
  );
}

const columnsOf = (nowMs: number, { onNewLink, onWithdraw }: Actions): readonly Column<User>[] => [
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
  { key: "invited", header: texts.invited, cell: ({ created_at: at }) => <Timestamp at={at} /> },
  {
    key: "link",
    header: texts.link,
    card: "state",
    cell: ({ link_expires_at: end }) =>
      end !== null && Date.parse(end) > nowMs
        ? texts.valid(<Timestamp at={end} relative={false} />)
        : texts.expired,
  },
  {
    key: "actions",
    header: texts.actions,
    card: "action",
    cell: (user) => (
      <Group gap="xs">
        <Act user={user} verb={texts.newLink} onAct={onNewLink} />
        <Act user={user} verb={texts.withdraw} onAct={onWithdraw} />
      </Group>
    ),
  },
];

const Act = ({
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
