import { Menu } from "@mantine/core";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import type { MenuButtonProps } from "./late-menu.tsx";

/** A menu that opens as soon as it is loaded. When it closes, its button has the focus again. */
export function OpeningMenu({
  renderButton,
  children,
}: {
  /** Returns the button of the menu. */
  readonly renderButton: (properties: MenuButtonProps) => ReactElement;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This button replaces the one that was pressed.
    opener.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/set-state-in-effect -- a target must be drawn before its menu
    setOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>{renderButton({ ref: opener })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
