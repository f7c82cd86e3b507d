import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { type DepositView, keepDeposit } from "./deposit-query.ts";

interface Props {
  readonly deposit: DepositView;
}

/** Hands in what the payer has told on the telephone, as they could on the payment page themselves. */
export function FromPayer({ deposit }: Props) {
  return deposit.actions.includes("krw_account") ? (
    <Account deposit={deposit} />
  ) : deposit.actions.includes("reference") ? (
    <Reference deposit={deposit} />
  ) : null;
}

function Account({ deposit: { code, banks } }: Props) {
  const [bank, setBank] = useState("");
  const [account, setAccount] = useState("");
  const handIn = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/krw-account", {
        params: { code },
        body: { bank_code: bank, account_number: account.trim() },
      }),
    onSuccess: keepDeposit,
  });
  const offered = (banks ?? []).map((each) => ({ value: each.code, label: each.name }));
  return (
    <ActionForm action={handIn} verb="Hand in the account">
      {offered.length > 0 ? (
        <NativeSelect
          label="Payer's bank"
          data={[{ value: "", label: "choose" }, ...offered]}
          value={bank}
          onChange={({ currentTarget }) => setBank(currentTarget.value)}
          required
        />
      ) : (
        <TextInput
          label="Code of the payer's bank"
          autoComplete="off"
          value={bank}
          onChange={({ currentTarget }) => setBank(currentTarget.value)}
          required
        />
      )}
      <TextInput
        label="Payer's account number"
        description="Where the payer pays from: digits, with or without hyphens."
        inputMode="numeric"
        autoComplete="off"
        value={account}
        onChange={({ currentTarget }) => setAccount(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}

function Reference({ deposit: { code } }: Props) {
  const [reference, setReference] = useState("");
  const handIn = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/reference", {
        params: { code },
        body: { reference: reference.trim() },
      }),
    onSuccess: (next) => {
      keepDeposit(next);
      setReference("");
    },
  });
  return (
    <ActionForm action={handIn} verb="Hand in the reference">
      <TextInput
        label="Reference of the payment"
        description="What the payer's bank or wallet calls it, such as a UTR. By it the payment is found sooner."
        autoComplete="off"
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}
