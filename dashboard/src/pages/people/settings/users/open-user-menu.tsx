import { Menu } from "@mantine/core";
import type { ReactElement } from "react";
import type { MenuButtonProps } from "../../../../components/popover/late-menu.tsx";
import { OpeningMenu } from "../../../../components/popover/opening-menu.tsx";
import { messages } from "../messages.tsx";
import type { UserActions } from "./user-menu.tsx";

const texts = messages.users;

/** The menu of a user, which opens at once. */
export default function OpenUserMenu({
  onReset,
  onDisable,
  renderButton,
}: UserActions & { readonly renderButton: (properties: MenuButtonProps) => ReactElement }) {
  return (
    <OpeningMenu renderButton={renderButton}>
      <Menu.Item onClick={onReset}>{texts.resetPassword}</Menu.Item>
      <Menu.Item color="red" onClick={onDisable}>
        {texts.disable}
      </Menu.Item>
    </OpeningMenu>
  );
}
