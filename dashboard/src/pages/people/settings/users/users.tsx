import { Badge, Button, Group, Modal, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { TriangleAlert } from "lucide-react";
import { type Answer, call } from "../../../../server/client.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { PageLink } from "../../../../components/page-link.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { usePerson } from "../../../../server/session.ts";
import { SettingsPage } from "../settings-page.tsx";
import { useChangeOrPropose } from "../change-or-propose.ts";
import { Invitations } from "./invitations.tsx";
import { ChangeRoles, Disable, Invite, NewLink } from "./user-dialogs.tsx";
import { type User, USER_COLUMNS, UserAction } from "./user-columns.tsx";
import { UserMenu } from "./user-menu.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { messages } from "../messages.tsx";
import classes from "./users.module.css";

/** Loaded after the users, which come first. */
const SecondFactorPolicy = lazy(async () => ({
  default: (await import("./second-factor-policy.tsx")).SecondFactorPolicy,
}));

const texts = messages.users;

type Link = Answer<"POST /api/users">;

const USERS = ["GET /api/users"];
/** How often the page checks whether invited users have joined. */
const JOINED_MS = 15_000;

/** The open dialog and its user. */
type Doing =
  | { readonly what: "invite" }
  | { readonly what: "roles" | "disable" | "link"; readonly user: User };

/** The page that lists, invites, changes and disables users. */
export function UsersPage() {
  const [chosen, setDoing] = useState<Doing | null>(null);
  const isInviting = useLocation({ select: ({ hash }) => hash === "invite" });
  const navigate = useNavigate();
  const doing: Doing | null = isInviting ? { what: "invite" } : chosen;
  const [link, setLink] = useState<{ readonly link: Link; readonly name: string } | null>(null);
  const queries = useQueryClient();
  const orPropose = useChangeOrPropose();
  const users = useQuery({
    queryKey: USERS,
    queryFn: ({ signal }) => call("GET /api/users", { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isInvited) ? JOINED_MS : false),
  });
  const enable = useMutation({
    mutationFn: (id: string) =>
      orPropose(() => call("POST /api/users/:id/enable", { params: { id } }), {
        kind: "enable",
        user_id: id,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: USERS }),
  });
  const close = (): void => {
    setDoing(null);
    if (isInviting) void navigate({ to: "/settings/users", replace: true });
    void queries.invalidateQueries({ queryKey: USERS });
  };
  const showLink = (made: Link | null, name: string): void => {
    if (made) setLink({ link: made, name });
    close();
  };
  const error = users.error ?? enable.error;
  return (
    <SettingsPage
      title={texts.title}
      actions={<Button onClick={() => setDoing({ what: "invite" })}>{texts.invite}</Button>}
    >
      {error ? <ErrorState error={error} /> : null}
      {link ? (
        <OneTimeSecret
          title={texts.linkFor(link.name)}
          text={texts.linkHint}
          secret={`${window.location.origin}${link.link.path}`}
        />
      ) : null}
      {users.data ? (
        <UserLists users={users.data.items} onDo={setDoing} onEnable={(id) => enable.mutate(id)} />
      ) : users.error ? null : (
        <Loading />
      )}
      {users.data ? (
        <Suspense fallback={<Loading />}>
          <SecondFactorPolicy />
        </Suspense>
      ) : null}
      <Modal
        opened={doing?.what === "invite" || doing?.what === "roles"}
        onClose={close}
        title={doing?.what === "roles" ? texts.rolesOf(doing.user.name) : texts.invite}
        closeButtonProps={{ "aria-label": messages.close }}
      >
        {doing?.what === "invite" ? <Invite onMade={showLink} /> : null}
        {doing?.what === "roles" ? <ChangeRoles user={doing.user} onDone={close} /> : null}
      </Modal>
      {doing?.what === "disable" ? <Disable user={doing.user} onClose={close} /> : null}
      {doing?.what === "link" ? (
        <NewLink user={doing.user} onClose={() => setDoing(null)} onMade={showLink} />
      ) : null}
    </SettingsPage>
  );
}

interface UserActions {
  readonly users: readonly User[];
  readonly onDo: (doing: Doing) => void;
  readonly onEnable: (id: string) => void;
}

/** The pending invitations, and all other users. */
const UserLists = ({ users, onDo, onEnable }: UserActions) => (
  <>
    <Invitations
      users={users.filter(isInvited)}
      onNewLink={(user) => onDo({ what: "link", user })}
      onWithdraw={(user) => onDo({ what: "disable", user })}
    />
    <UserTable users={users.filter((user) => !isInvited(user))} onDo={onDo} onEnable={onEnable} />
  </>
);

const COLOURS = { active: "green", invited: "blue", disabled: "gray" } as const;

const stateBadge = ({ state }: User) => (
  <Badge variant="light" color={COLOURS[state]} tt="none">
    {texts.states[state]}
  </Badge>
);

const isInvited = ({ state }: User): boolean => state === "invited";

function UserTable({ users, onDo, onEnable }: UserActions) {
  const me = usePerson()?.id;
  return (
    <DataTable
      caption={texts.caption}
      hideCaption
      rows={users}
      rowKey={({ id }) => id}
      columns={columnsOf(me, onDo, onEnable)}
    />
  );
}

/** A missing second factor, with the page that sets it up, or the policy that requires one. */
const MissingFactor = ({ isOwn }: { readonly isOwn: boolean }) => (
  <span className={classes.missing}>
    <span data-tone="awaiting">
      <TriangleAlert size={14} aria-hidden /> {texts.off}
    </span>
    {isOwn ? (
      <PageLink to="/profile">{texts.setUp}</PageLink>
    ) : (
      <PageLink to="/settings/users#second-factor">{texts.requireFactor}</PageLink>
    )}
  </span>
);

const columnsOf = (
  me: string | undefined,
  onDo: (doing: Doing) => void,
  onEnable: (id: string) => void,
): Column<User>[] => [
  ...USER_COLUMNS,
  { key: "state", header: texts.state, card: "state", cell: stateBadge },
  {
    key: "totp",
    header: texts.secondFactor,
    cell: (user) => (user.has_totp ? texts.on : <MissingFactor isOwn={user.id === me} />),
  },
  {
    key: "seen",
    header: texts.lastSeen,
    cell: ({ seen_at }) => (seen_at === null ? texts.never : <Timestamp at={seen_at} />),
  },
  {
    key: "actions",
    header: texts.actions,
    card: "action",
    cell: (user) =>
      user.id === me ? (
        <Text size="sm">{texts.you}</Text>
      ) : (
        <Group gap="xs" wrap="nowrap">
          {user.state === "disabled" ? (
            <UserAction user={user} verb={texts.enable} onAct={() => onEnable(user.id)} />
          ) : (
            <>
              <UserAction
                user={user}
                verb={texts.changeRoles}
                onAct={() => onDo({ what: "roles", user })}
              />
              <UserMenu
                user={user}
                onReset={() => onDo({ what: "link", user })}
                onDisable={() => onDo({ what: "disable", user })}
              />
            </>
          )}
        </Group>
      ),
  },
];
