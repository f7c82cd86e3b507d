import { Select } from "@mantine/core";
import { useState } from "react";
import { allZones, zoneLabel } from "../../base/time-zone.ts";
import { serverNowMs } from "../../base/server-time.ts";
import { messages } from "./zone-messages.ts";

export interface ZoneProps {
  readonly label: string;
  readonly description?: string;
  readonly className?: string | undefined;
  readonly disabled?: boolean;
  readonly value: string;
  readonly onChange: (zone: string) => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}
const choiceOf = (zone: string): Choice => ({
  value: zone,
  label: zoneLabel(zone, serverNowMs()),
});

/** The field of `ZoneField`. A zone whose full name is typed is chosen at once. */
export default function ZoneSelect({ value, onChange, ...field }: ZoneProps) {
  // The offsets of all zones take time, so they are calculated when the list opens.
  const [zones, setZones] = useState<readonly Choice[]>([]);
  const open = (): void =>
    setZones((before) => (before.length > 0 ? before : allZones().map(choiceOf)));
  const isKnown = (zone: string): boolean => zones.some((each) => each.value === zone);
  return (
    <Select
      {...field}
      data={isKnown(value) ? zones : [choiceOf(value), ...zones]}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      onSearchChange={(text) => {
        const zone = text.trim();
        if (zone !== value && isKnown(zone)) onChange(zone);
      }}
      onFocus={open}
      searchable
      allowDeselect={false}
      nothingFoundMessage={messages.none}
      comboboxProps={{ width: "max-content", position: "top-start" }}
      required
    />
  );
}
