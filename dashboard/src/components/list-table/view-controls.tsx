import { Button, Checkbox, Group, NativeSelect, Popover, Stack, Text } from "@mantine/core";
import { Columns3 } from "lucide-react";
import { DENSITIES, type useListSettings } from "./list-settings.ts";
import classes from "./list-table.module.css";
import { isVisible, type ListColumn } from "./list-column.ts";
import { messages } from "./messages.ts";

type Settings = ReturnType<typeof useListSettings>;

/** The row height and the columns of a list. */
export function ViewControls<Row>({
  columns,
  settings,
  onChange,
}: {
  readonly columns: readonly ListColumn<Row>[];
  readonly settings: Settings[0];
  readonly onChange: Settings[1];
}) {
  return (
    <Popover position="bottom-end" width={240} shadow="md" radius="lg" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          className={classes.controls}
          leftSection={<Columns3 size={14} aria-hidden />}
        >
          {messages.display}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NativeSelect
          size="xs"
          mb="sm"
          label={messages.density}
          value={settings.density}
          data={DENSITIES.map((value) => ({ value, label: messages.densities[value] }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ density: DENSITIES.find((each) => each === value) ?? "standard" })
          }
        />
        <Group justify="space-between" mb="xs">
          <Text size="sm" fw={600}>
            {messages.columns}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={() => onChange({ columns: {} })}>
            {messages.resetColumns}
          </Button>
        </Group>
        <Stack gap={10}>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              size="xs"
              label={column.header}
              description={column.isFixed ? messages.always : undefined}
              disabled={column.isFixed}
              checked={isVisible(column, settings.columns)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({ columns: { ...settings.columns, [column.key]: checked } })
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
