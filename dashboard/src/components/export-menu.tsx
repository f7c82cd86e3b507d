import { Button } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { lazy, type Ref, Suspense, useState } from "react";
import { detailMessages } from "./detail-messages.tsx";

/** Loaded when the menu is opened: menus are a quarter of the code of a list. */
const OpenDownloadMenu = lazy(() => import("./popover/open-download-menu.tsx"));

const texts = detailMessages.export;

const FORMATS = ["csv", "xlsx"] as const;
type Format = (typeof FORMATS)[number];

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export function ExportMenu({
  size,
  addressOf,
}: {
  /** The height of the button: "xs" among the filters of a list. */
  readonly size?: "xs";
  /** Returns the address of the file. */
  readonly addressOf: (format: Format) => string;
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
      {texts.title}
    </Button>
  );
  const closed = renderButton();
  return isUsed ? (
    <Suspense fallback={closed}>
      <OpenDownloadMenu
        renderButton={renderButton}
        downloads={FORMATS.map((format) => ({
          href: addressOf(format),
          label: texts.formats[format],
        }))}
      />
    </Suspense>
  ) : (
    closed
  );
}
