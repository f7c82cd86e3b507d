import { Menu } from "@mantine/core";
import { type ReactElement, type Ref, useEffect, useRef, useState } from "react";

/** A file that can be downloaded. */
interface Download {
  readonly href: string;
  readonly label: string;
}

/** A menu of downloads. It opens as soon as it is loaded. */
export default function OpenDownloadMenu({
  renderButton,
  downloads,
}: {
  readonly renderButton: (ref?: Ref<HTMLButtonElement>) => ReactElement;
  readonly downloads: readonly Download[];
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
      <Menu.Target>{renderButton(opener)}</Menu.Target>
      <Menu.Dropdown>
        {downloads.map(({ href, label }) => (
          <Menu.Item key={label} component="a" href={href} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
