import { Checkbox, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ActionForm } from "../../../../components/forms/action-form.tsx";
import { ConfirmAction } from "../../../../components/forms/confirm-action.tsx";
import { pendingChangesQuery, useChangeOrPropose } from "../change-or-propose.ts";
import { useMay } from "../../../../server/session.ts";
import { messages } from "../messages.tsx";
import { type Role, RoleChoice } from "../role-choice.tsx";
import { invitationMessages as invitationTexts } from "./invitation-messages.tsx";

const texts = messages.users;

type User = Answer<"GET /api/users">["items"][number];
type Link = Answer<"POST /api/users">;

/** Receives the new link; null if the change was only proposed. */
type OnMade = (link: Link | null, name: string) => void;

/** Invites a user and creates their link. */
export function Invite({ onMade }: { readonly onMade: OnMade }) {
  const orPropose = useChangeOrPropose();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<readonly Role[]>(["viewer"]);
  const confirmation = useConfirmation(roles);
  const invite = useMutation({
    mutationFn: () => {
      const body = { name, email, roles: [...roles] };
      return orPropose(() => call("POST /api/users", { body }), { kind: "invite", ...body });
    },
    onSuccess: (link) => onMade(link, name),
  });
  return (
    <ActionForm
      action={invite}
      verb={confirmation === null ? texts.createInvitation : invitationTexts.propose}
      disabled={roles.length === 0}
    >
      <TextInput
        label={texts.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <TextInput
        label={texts.email}
        type="email"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        required
      />
      <RoleChoice roles={roles} onChange={setRoles} />
      <Text size="sm">{confirmation ?? invitationTexts.linkHere}</Text>
    </ActionForm>
  );
}

/** Says who must confirm the invitation of a user with these roles. Null: nobody. */
function useConfirmation(roles: readonly Role[]): string | null {
  const { data } = useQuery(pendingChangesQuery);
  const isApprover = useMay("approve");
  const isPowerful = roles.some((role) => role === "approver" || role === "admin");
  if (!data || !(isPowerful || isApprover)) return null;
  if (data.other_admins > 0) return invitationTexts.anotherAdmin;
  return data.is_set_up ? invitationTexts.loneAdmin : null;
}

/** Changes the roles of a user. */
export function ChangeRoles({
  user,
  onDone,
}: {
  readonly user: User;
  readonly onDone: () => void;
}) {
  const [roles, setRoles] = useState<readonly Role[]>(user.roles);
  const orPropose = useChangeOrPropose();
  const change = useMutation({
    mutationFn: () => {
      const body = { roles: [...roles] };
      return orPropose(() => call("PUT /api/users/:id/roles", { params: { id: user.id }, body }), {
        kind: "roles",
        user_id: user.id,
        ...body,
      });
    },
    onSuccess: onDone,
  });
  return (
    <ActionForm action={change} verb={texts.saveRoles} disabled={roles.length === 0}>
      <RoleChoice roles={roles} onChange={setRoles} />
      <Text size="sm">{texts.sessionsEnd}</Text>
    </ActionForm>
  );
}

/** Disables a user, or withdraws their invitation. */
export function Disable({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      {...(user.state === "invited"
        ? invitationTexts.withdrawal(user.name)
        : {
            title: texts.disableTitle(user.name),
            sentence: texts.disableEffect,
            verb: texts.disable,
          })}
      danger
      onConfirm={() => call("POST /api/users/:id/disable", { params: { id: user.id } })}
    />
  );
}

/** Creates a new link for a user. */
export function NewLink({
  user,
  onClose,
  onMade,
}: {
  readonly user: User;
  readonly onClose: () => void;
  readonly onMade: OnMade;
}) {
  const [dropsTotp, setDropsTotp] = useState(false);
  const isInvited = user.state === "invited";
  const orPropose = useChangeOrPropose();
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={isInvited ? texts.newInvitationTitle(user.name) : texts.resetPasswordTitle(user.name)}
      sentence={
        <>
          {texts.resetPasswordEffect}
          {user.has_totp ? (
            <Checkbox
              mt="sm"
              label={texts.dropSecondFactor}
              checked={dropsTotp}
              onChange={({ currentTarget }) => setDropsTotp(currentTarget.checked)}
            />
          ) : null}
        </>
      }
      verb={isInvited ? texts.createInvitation : texts.createPasswordLink}
      onConfirm={async () => {
        const body = { drop_totp: dropsTotp };
        const made = await orPropose(
          () => call("POST /api/users/:id/link", { params: { id: user.id }, body }),
          { kind: "link", user_id: user.id, ...body },
        );
        onMade(made, user.name);
      }}
    />
  );
}
