import { Button, Menu } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { detailMessages } from "./detail-messages.tsx";

const texts = detailMessages.export;

const FORMATS = ["csv", "xlsx"] as const;
type Format = (typeof FORMATS)[number];

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export const ExportMenu = ({
  size,
  addressOf,
}: {
  /** The height of the button: "xs" among the filters of a list. */
  readonly size?: "xs";
  /** Returns the address of the file. */
  readonly addressOf: (format: Format) => string;
}) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button
        variant="default"
        {...(size && { size })}
        leftSection={<Download size={15} aria-hidden />}
        rightSection={<ChevronDown size={14} aria-hidden />}
      >
        {texts.title}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {FORMATS.map((format) => (
        <Menu.Item key={format} component="a" href={addressOf(format)} download>
          {texts.formats[format]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
