import { Button } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { lazy, type Ref, Suspense, useState } from "react";
import { detailMessages } from "./detail-messages.tsx";
import type { ExportFormat } from "./popover/open-export-menu.tsx";

/** Loaded when the menu is opened: menus are a quarter of the code of a list. */
const OpenExportMenu = lazy(() => import("./popover/open-export-menu.tsx"));

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export function ExportMenu({
  size,
  addressOf,
}: {
  /** The height of the button: "xs" among the filters of a list. */
  readonly size?: "xs";
  /** Returns the address of the file. */
  readonly addressOf: (format: ExportFormat) => string;
}) {
  const [isUsed, setUsed] = useState(false);
  const renderButton = (ref?: Ref<HTMLButtonElement>) => (
    <Button
      variant="default"
      aria-haspopup="menu"
      {...(ref && { ref })}
      {...(size && { size })}
      leftSection={<Download size={15} aria-hidden />}
      rightSection={<ChevronDown size={14} aria-hidden />}
      onClick={() => setUsed(true)}
    >
      {detailMessages.export.title}
    </Button>
  );
  const closed = renderButton();
  return isUsed ? (
    <Suspense fallback={closed}>
      <OpenExportMenu renderButton={renderButton} addressOf={addressOf} />
    </Suspense>
  ) : (
    closed
  );
}
