import { Button, Menu } from "@mantine/core";
import { ChevronDown, Download } from "lucide-react";
import { detailMessages } from "./detail-messages.tsx";

const texts = detailMessages.export;

/** Downloads of exactly the rows that the filters find, as CSV or as a workbook. */
export const ExportMenu = ({
  addressOf,
}: {
  /** Returns the address of the file. */
  readonly addressOf: (format: "csv" | "xlsx") => string;
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
      {(["csv", "xlsx"] as const).map((format) => (
        <Menu.Item key={format} component="a" href={addressOf(format)} download>
          {texts.formats[format]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
