import { Button } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { lazy } from "react";
import { detailMessages } from "./detail-messages.tsx";
import { LateMenu, type MenuButtonProps } from "./popover/late-menu.tsx";

const texts = detailMessages.export;

/** Loaded when the reader opens the menu. */
const OpenExportMenu = lazy(() => import("./open-export-menu.tsx"));

export type ExportFormat = "csv" | "xlsx";

export interface ExportMenuProps {
  /** The height of the button: "xs" among the filters of a list. */
  readonly size?: "xs";
  /** Returns the address of the file. */
  readonly addressOf: (format: ExportFormat) => string;
}

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export function ExportMenu({ size, addressOf }: ExportMenuProps) {
  const renderButton = (properties: MenuButtonProps) => (
    <Button
      {...properties}
      variant="default"
      {...(size && { size })}
      leftSection={<Download size={15} aria-hidden />}
      rightSection={<ChevronDown size={14} aria-hidden />}
    >
      {texts.title}
    </Button>
  );
  return (
    <LateMenu renderButton={renderButton}>
      <OpenExportMenu renderButton={renderButton} addressOf={addressOf} />
    </LateMenu>
  );
}
