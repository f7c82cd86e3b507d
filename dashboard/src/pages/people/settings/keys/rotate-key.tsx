import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ConfirmAction } from "../../../../components/forms/confirm-action.tsx";
import { messages } from "../messages.tsx";
import type { Made } from "./new-key.tsx";

const texts = messages.keys;

type Key = Answer<"GET /api/keys">["items"][number];

const OVERLAPS = Object.entries(texts.overlaps).map(([value, label]) => ({ value, label }));

/** Confirms that a new key replaces this one, which expires after an overlap. */
export function RotateKey({
  rotated,
  onMade,
  onClose,
}: {
  readonly rotated: Key;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
}) {
  const [hours, setHours] = useState("24");
  const { id, name } = rotated;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.rotateOf(name)}
      sentence={texts.rotateEffect}
      verb={texts.rotate}
      onConfirm={async () => {
        const body = { overlap_hours: Number(hours) };
        const { key, unconfirmed } = await call("POST /api/keys/:id/rotate", {
          params: { id },
          body,
        });
        onMade({ key, name, unconfirmed });
      }}
    >
      <NativeSelect
        label={texts.overlap}
        data={OVERLAPS}
        value={hours}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
    </ConfirmAction>
  );
}
