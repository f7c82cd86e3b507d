import { Button, Checkbox, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { isVisible } from "./list-column.ts";
import { DENSITIES, type ViewControlsProps } from "./list-settings.ts";
import { messages } from "./messages.ts";

/** The choice of the row height and the columns of a list. */
export default function ViewSettings({
  columns,
  hasDensity = true,
  settings,
  onChange,
}: ViewControlsProps) {
  const choices = columns.filter(({ isFixed }) => !isFixed);
  return (
    <>
      {hasDensity ? (
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
      ) : null}
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {messages.columns}
        </Text>
        <Button variant="subtle" size="compact-xs" onClick={() => onChange({ columns: {} })}>
          {messages.resetColumns}
        </Button>
      </Group>
      <Stack gap={10}>
        {choices.map((column) => (
          <Checkbox
            key={column.key}
            size="xs"
            label={column.header}
            checked={isVisible(column, settings.columns)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ columns: { ...settings.columns, [column.key]: checked } })
            }
          />
        ))}
      </Stack>
    </>
  );
}
