import { Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { NOTE_CHARS } from "../../components/forms/note-form.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { Section } from "../../components/section.tsx";
import { call } from "../../server/client.ts";
import { cacheDay } from "./day-query.ts";
import { messages } from "./messages.ts";

const texts = messages.opening;

/** Sets the first business day of a lane and its opening balance. */
export function OpeningForm({ lanes }: { readonly lanes: readonly string[] }) {
  const laneName = useLaneName();
  const [lane, setLane] = useState<string | null>(lanes[0] ?? null);
  const [day, setDay] = useState("");
  const [balance, setBalance] = useState("");
  const [reason, setReason] = useState("");
  const open = useMutation({
    mutationFn: () =>
      call("POST /api/days/:day/open", {
        params: { day },
        body: {
          lane: lane ?? "",
          ...(balance.trim() !== "" && { balance: balance.trim(), reason: reason.trim() }),
        },
      }),
    onSuccess: cacheDay,
  });
  const needsReason = balance.trim() !== "" && reason.trim().length < NOTE_CHARS.min;
  return (
    <Section title={texts.title} caption={texts.explained}>
      <ActionForm
        action={open}
        verb={texts.save}
        disabled={lane === null || day === "" || needsReason}
        narrow
      >
        <Select
          label={texts.lane}
          data={lanes.map((each) => ({ value: each, label: laneName(each) }))}
          value={lane}
          allowDeselect={false}
          onChange={setLane}
        />
        <TextInput
          type="date"
          label={texts.day}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <TextInput
          label={texts.balance}
          description={texts.balanceHint}
          inputMode="decimal"
          value={balance}
          onChange={({ currentTarget }) => setBalance(currentTarget.value)}
        />
        <TextInput
          label={texts.reason}
          description={texts.reasonHint}
          maxLength={NOTE_CHARS.max}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ActionForm>
    </Section>
  );
}
