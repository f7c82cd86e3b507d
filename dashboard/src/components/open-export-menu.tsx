import { Menu } from "@mantine/core";
import type { ReactElement } from "react";
import { detailMessages } from "./detail-messages.tsx";
import type { ExportFormat, ExportMenuProps } from "./export-menu.tsx";
import type { MenuButtonProps } from "./popover/late-menu.tsx";
import { OpeningMenu } from "./popover/opening-menu.tsx";

const FORMATS: readonly ExportFormat[] = ["csv", "xlsx"];

/** The formats of an export, as a menu that opens at once. */
const OpenExportMenu = ({
  renderButton,
  addressOf,
}: Pick<ExportMenuProps, "addressOf"> & {
  readonly renderButton: (properties: MenuButtonProps) => ReactElement;
}) => (
  <OpeningMenu renderButton={renderButton}>
    {FORMATS.map((format) => (
      <Menu.Item key={format} component="a" href={addressOf(format)} download>
        {detailMessages.export.formats[format]}
      </Menu.Item>
    ))}
  </OpeningMenu>
);

export default OpenExportMenu;
