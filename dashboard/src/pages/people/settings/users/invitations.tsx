import { Badge, Group } from "@mantine/core";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { Section } from "../../../../components/section.tsx";
import { Timestamp, useNow } from "../../../../components/timestamp.tsx";
import { invitationMessages as texts } from "./invitation-messages.tsx";
import { type User, USER_COLUMNS, UserAction } from "./user-columns.tsx";

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
  ...USER_COLUMNS,
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
        <UserAction user={user} verb={texts.newLink} onAct={onNewLink} />
        <UserAction user={user} verb={texts.withdraw} onAct={onWithdraw} />
      </Group>
    ),
  },
];
