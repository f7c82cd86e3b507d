import { Modal, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dateText } from "../../base/dates.ts";
import { formatMoney } from "../../base/money.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { DateField } from "../../components/forms/date-field.tsx";
import { NOTE_CHARS } from "../../components/forms/note-form.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { call } from "../../server/client.ts";
import { cacheDay } from "./day-query.ts";
import { messages } from "./messages.tsx";

const texts = messages.opening;

interface Opening {
  readonly lane: string;
  readonly day: string;
  /** Empty: that of the statement. */
  readonly balance: string;
  readonly reason: string;
}

/** Asks for the first business day of a lane and its opening balance, then for a confirmation. */
export function OpeningForm({
  lane,
  onClosed,
}: {
  readonly lane: string;
  readonly onClosed: () => void;
}) {
  const [opening, setOpening] = useState<Opening>({ lane, day: "", balance: "", reason: "" });
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const name = useLaneName()(lane);
  // The form only opens the confirmation, which sends the fields.
  const ask = useMutation({ mutationFn: async () => setAsked(true) });
  const { day, balance, reason } = opening;
  const needsReason = balance.trim() !== "" && reason.trim().length < NOTE_CHARS.min;
  const open = async (): Promise<void> => {
    cacheDay(await openDays(opening));
    notifications.show({ message: texts.done(dateText(day)) });
    onClosed();
    await navigate({ to: "/reconciliation/days", search: { lane, month: day.slice(0, 7) } });
  };
  return (
    <>
      <Modal
        opened={!isAsked}
        onClose={() => {
          if (!isAsked) onClosed();
        }}
        title={texts.title(name)}
        closeButtonProps={{ "aria-label": texts.close }}
        centered
        // The lock is an inline style, which the content security policy refuses.
        lockScroll={false}
      >
        <ActionForm action={ask} verb={texts.save} disabled={day === "" || needsReason}>
          <Text size="sm">{texts.explained}</Text>
          <Fields of={opening} onChange={(change) => setOpening({ ...opening, ...change })} />
        </ActionForm>
      </Modal>
      <ConfirmAction
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={texts.confirmTitle}
        sentence={texts.confirm(name, dateText(day), enteredBalance(opening))}
        verb={texts.save}
        onConfirm={open}
      />
    </>
  );
}

const openDays = ({ lane, day, balance, reason }: Opening) =>
  call("POST /api/days/:day/open", {
    params: { day },
    body: {
      lane,
      ...(balance.trim() !== "" && { balance: balance.trim(), reason: reason.trim() }),
    },
  });

function Fields({
  of: { day, balance, reason },
  onChange,
}: {
  readonly of: Opening;
  readonly onChange: (change: Partial<Opening>) => void;
}) {
  return (
    <>
      <DateField label={texts.day} value={day} onChange={(next) => onChange({ day: next })} />
      <TextInput
        label={texts.balance}
        description={texts.balanceHint}
        inputMode="decimal"
        value={balance}
        onChange={({ currentTarget }) => onChange({ balance: currentTarget.value })}
      />
      <TextInput
        label={texts.reason}
        description={texts.reasonHint}
        maxLength={NOTE_CHARS.max}
        value={reason}
        onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
      />
    </>
  );
}

/** The balance as entered, with the currency of the lane. Null: that of the statement. */
const enteredBalance = ({ lane, balance }: Opening): string | null =>
  balance.trim() === ""
    ? null
    : formatMoney({ currency: lane.split("/").at(-1) ?? "", amount: balance.trim() });
