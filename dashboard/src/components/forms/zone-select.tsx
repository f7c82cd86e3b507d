import { Select } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
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

/** Text that is no zone, and the zone that the field kept. */
interface Refused {
  readonly text: string;
  readonly value: string;
}

/** A name or a typed text in one form: "São Paulo" and "Sao_Paulo" are the same. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ")
    .trim();

/** Whether a zone, or the place in its name, begins with this text: "new y", "America/New". */
function beginsWith(zone: string, text: string): boolean {
  const wanted = plain(text);
  const name = plain(zone);
  return name.startsWith(wanted) || name.includes(`/${wanted}`);
}

/**
 * The field of `ZoneField`. A zone whose full name is typed is chosen at once, and the only zone
 * that begins with the typed text is chosen when the reader leaves the field. Other text is
 * refused, and the form is not sent until the reader has returned to the field.
 */
export default function ZoneSelect({ value, onChange, ...field }: ZoneProps) {
  // The offsets of all zones take time, so they are calculated when the list opens.
  const [zones, setZones] = useState<readonly Choice[]>([]);
  const open = (): void =>
    setZones((before) => (before.length > 0 ? before : allZones().map(choiceOf)));
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const error = refused?.value === value ? messages.refused(refused.text) : "";
  // The form is not sent with the earlier zone.
  useLayoutEffect(() => input.current?.setCustomValidity(error), [error]);
  const isKnown = (zone: string): boolean => zones.some((each) => each.value === zone);
  const choose = (zone: string): void => {
    setRefused(null);
    onChange(zone);
  };
  const leave = (typed: string): void => {
    const text = typed.trim();
    if (text === "" || text === choiceOf(value).label) {
      setRefused(null);
      return;
    }
    const found = zones.filter((each) => beginsWith(each.value, text));
    const [only] = found;
    if (only && found.length === 1) choose(only.value);
    else setRefused({ text, value });
  };
  return (
    <Select
      {...field}
      ref={input}
      data={isKnown(value) ? zones : [choiceOf(value), ...zones]}
      value={value}
      onChange={(zone) => zone !== null && choose(zone)}
      error={error}
      onSearchChange={(text) => {
        const zone = text.trim();
        if (zone !== value && isKnown(zone)) choose(zone);
      }}
      onFocus={() => {
        open();
        setRefused(null);
      }}
      // Typing replaces the chosen zone instead of adding to its name.
      onClick={(event) => event.currentTarget.select()}
      // Before the field shows the chosen zone again.
      onBlurCapture={(event) => leave(event.currentTarget.value)}
      onKeyDownCapture={(event) => {
        const typed = event.currentTarget.value;
        if (event.key !== "Enter" || typed === choiceOf(value).label) return;
        event.preventDefault();
        leave(typed);
      }}
      searchable
      filter={({ options, search }) =>
        (options as Choice[]).filter(({ label }) => plain(label).includes(plain(search)))
      }
      allowDeselect={false}
      nothingFoundMessage={messages.none}
      comboboxProps={{ width: "max-content", position: "top-start" }}
      required
    />
  );
}
