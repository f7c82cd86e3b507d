import { Menu } from "@mantine/core";
import { type ReactElement, type Ref, useEffect, useRef, useState } from "react";
import { detailMessages } from "../detail-messages.tsx";

/** The formats in which a list can be downloaded. */
const FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** The menu of the formats. It opens as soon as it is loaded. */
export default function OpenExportMenu({
  renderButton,
  addressOf,
}: {
  readonly renderButton: (ref?: Ref<HTMLButtonElement>) => ReactElement;
  /** Returns the address of the file. */
  readonly addressOf: (format: ExportFormat) => string;
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
        {FORMATS.map((format) => (
          <Menu.Item key={format} component="a" href={addressOf(format)} download>
            {detailMessages.export.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
