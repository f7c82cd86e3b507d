import { Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Table } from "@tanstack/react-table";
import { AlignJustify, Columns3, List, Rows3 } from "lucide-react";
import { DENSITIES, type Density, type useListSettings } from "./list-settings.ts";
import classes from "./list-table.module.css";
import type { ListColumn } from "./list-column.ts";
import { messages } from "./messages.ts";

const ICONS = { compact: AlignJustify, standard: List, roomy: Rows3 } as const;

type Settings = ReturnType<typeof useListSettings>;

/** The row height and the columns of a list. */
export function ViewControls<Row>({
  columns,
  table,
  settings,
  onChange,
}: {
  readonly columns: readonly ListColumn<Row>[];
  readonly table: Table<Row>;
  readonly settings: Settings[0];
  readonly onChange: Settings[1];
}) {
  return (
    <div className={classes.controls}>
      <SegmentedControl
        size="xs"
        aria-label={messages.density}
        value={settings.density}
        onChange={(density) => onChange({ density })}
        data={DENSITIES.map((value) => ({ value, label: <DensityIcon of={value} /> }))}
      />
      <Popover position="bottom-end" width={240} shadow="md" radius="lg" trapFocus>
        <Popover.Target>
          <Button variant="default" size="xs" leftSection={<Columns3 size={14} aria-hidden />}>
            {messages.columns}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={600}>
              {messages.columns}
            </Text>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange({ columns: {} })}>
              {messages.resetColumns}
            </Button>
          </Group>
          <Stack gap={10}>
            {columns.map(({ key, header, isFixed }) => (
              <Checkbox
                key={key}
                size="xs"
                label={header}
                description={isFixed ? messages.always : undefined}
                disabled={isFixed}
                checked={table.getColumn(key)?.getIsVisible() ?? true}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({ columns: { ...settings.columns, [key]: checked } })
                }
              />
            ))}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

function DensityIcon({ of }: { readonly of: Density }) {
  const Icon = ICONS[of];
  const name = messages.densities[of];
  return <Icon size={14} role="img" aria-label={name} />;
}
