import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { type DepositView, cacheDeposit } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.fromPayer;

interface Props {
  readonly deposit: DepositView;
}

/** Sends details that the payer gave by telephone and could also enter on the payment page. */
export function PayerDetailsForm({ deposit }: Props) {
  return deposit.actions.includes("krw_account") ? (
    <AccountForm deposit={deposit} />
  ) : deposit.actions.includes("reference") ? (
    <ReferenceForm deposit={deposit} />
  ) : null;
}

function AccountForm({ deposit: { code, banks } }: Props) {
  const [bank, setBank] = useState("");
  const [account, setAccount] = useState("");
  const send = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/krw-account", {
        params: { code },
        body: { bank_code: bank, account_number: account.trim() },
      }),
    onSuccess: cacheDeposit,
  });
  const offered = (banks ?? []).map((each) => ({ value: each.code, label: each.name }));
  return (
    <ActionForm action={send} verb={texts.sendAccount} isSecondary>
      {offered.length > 0 ? (
        <NativeSelect
          label={texts.bank}
          data={[{ value: "", label: texts.chooseBank }, ...offered]}
          value={bank}
          onChange={({ currentTarget }) => setBank(currentTarget.value)}
          required
        />
      ) : (
        <TextInput
          label={texts.bankCode}
          autoComplete="off"
          value={bank}
          onChange={({ currentTarget }) => setBank(currentTarget.value)}
          required
        />
      )}
      <TextInput
        label={texts.account}
        description={texts.accountHint}
        inputMode="numeric"
        autoComplete="off"
        value={account}
        onChange={({ currentTarget }) => setAccount(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}

function ReferenceForm({ deposit: { code } }: Props) {
  const [reference, setReference] = useState("");
  const send = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/reference", {
        params: { code },
        body: { reference: reference.trim() },
      }),
    onSuccess: (next) => {
      cacheDeposit(next);
      setReference("");
    },
  });
  return (
    <ActionForm action={send} verb={texts.sendReference} isSecondary>
      <TextInput
        label={texts.reference}
        description={texts.referenceHint}
        autoComplete="off"
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}
