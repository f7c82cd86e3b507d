import { Button, Menu } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { detailMessages } from "./detail-messages.tsx";

const texts = detailMessages.export;

type Format = "csv" | "xlsx";

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export const ExportMenu = ({
  formats = ["csv", "xlsx"],
  addressOf,
}: {
  /** The formats of the file. */
  readonly formats?: readonly Format[];
  /** Returns the address of the file. */
  readonly addressOf: (format: Format) => string;
}) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button
        variant="default"
        leftSection={<Download size={15} aria-hidden />}
        rightSection={<ChevronDown size={14} aria-hidden />}
      >
        {texts.title}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {formats.map((format) => (
        <Menu.Item key={format} component="a" href={addressOf(format)} download>
          {texts.formats[format]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
