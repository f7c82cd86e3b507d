import { Autocomplete } from "@mantine/core";
import { useState } from "react";
import { isZone } from "../../base/time-zone.ts";
import { messages as common } from "../../base/messages.ts";
import { messages } from "./messages.tsx";

const texts = messages.form;

/** Zones that browsers still list only under an earlier name. */
const RENAMED: Readonly<Record<string, string>> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};
const ZONES = [...new Set(Intl.supportedValuesOf("timeZone").map((zone) => RENAMED[zone] ?? zone))];
const ZONES_SHOWN = 50;

/** A time zone, with suggestions. Browsers do not list every name, so any text can be entered. */
export default function ZoneField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}) {
  const [isTyping, setIsTyping] = useState(false);
  return (
    <Autocomplete
      label={texts.zone}
      description={texts.zoneHint}
      data={ZONES}
      limit={ZONES_SHOWN}
      value={value}
      onChange={onChange}
      onFocus={() => setIsTyping(true)}
      onBlur={() => setIsTyping(false)}
      error={isTyping || isZone(value) ? null : common.errors.unknownZone}
      required
    />
  );
}
