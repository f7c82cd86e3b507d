import { ActionIcon } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import { LateMenu, type MenuButtonProps } from "../../../../components/popover/late-menu.tsx";
import { messages } from "../messages.tsx";
import type { User } from "./user-columns.tsx";

const texts = messages.users;

/** Loaded when a menu is opened. */
const OpenUserMenu = lazy(() => import("./open-user-menu.tsx"));

export interface UserActions {
  readonly onReset: () => void;
  readonly onDisable: () => void;
}

/** The menu of the rarer actions on one user. */
export function UserMenu({ user, ...actions }: UserActions & { readonly user: User }) {
  const renderButton = (properties: MenuButtonProps) => (
    <ActionIcon
      {...properties}
      variant="default"
      size="input-xs"
      aria-label={texts.labelOf(texts.moreActions, user.name)}
    >
      <Ellipsis size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <LateMenu renderButton={renderButton}>
      <OpenUserMenu {...actions} renderButton={renderButton} />
    </LateMenu>
  );
}
