import { Autocomplete } from "@mantine/core";
import { messages } from "./messages.tsx";

const texts = messages.form;

const ZONES = Intl.supportedValuesOf("timeZone");
const ZONES_SHOWN = 50;

/** A time zone, with suggestions. Browsers do not list every name, so any text can be entered. */
export default function ZoneField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}) {
  return (
    <Autocomplete
      label={texts.zone}
      description={texts.zoneHint}
      data={ZONES}
      limit={ZONES_SHOWN}
      value={value}
      onChange={onChange}
      required
    />
  );
}
