import { Popover } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { LatePopoverProps } from "./late-popover.tsx";

/** A popover that opens as soon as it is loaded. When it closes, its button has the focus again. */
export default function OpeningPopover({
  button,
  position,
  width,
  className,
  children,
}: LatePopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This button replaces the one that was pressed.
    opener.current?.focus({ preventScroll: true });
    setOpen(true);
  }, []);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position={position}
      {...(width === undefined ? {} : { width })}
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {button({
          onClick: () => setOpen(!isOpen),
          "aria-haspopup": "dialog",
          ref: opener,
        })}
      </Popover.Target>
      <Popover.Dropdown {...(className === undefined ? {} : { className })}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
