import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { DEPOSIT_REQUIREMENTS, DepositCurrency } from "#deposit/requirements.ts";
import { call } from "../../server/client.ts";
import { AmountInput } from "../../components/forms/amount-input.tsx";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { readAmount } from "../../base/money.ts";
import { UploadersOnlyPage } from "../../components/payout/uploaders-only-page.tsx";
import { useMay } from "../../server/session.ts";
import { messages, type RequestField } from "./messages.ts";

const texts = messages.request;

/**
 * The currencies of deposits, each with the payer details that the gateway requires. Repeats the
 * table of the server.
 */
const NEEDS: {
  readonly [Code in DepositCurrency]: (typeof DEPOSIT_REQUIREMENTS)[Code]["details"];
} = {
  INR: [],
  BDT: ["phone"],
  VND: [],
  JPY: [],
  KRW: [],
  BRL: [],
  TRY: ["identity_id"],
  MMK: [],
};

const CURRENCIES = Object.keys(NEEDS) as readonly DepositCurrency[];

/** The fields of a payment method. A payer in KRW states the bank on the payment page. */
const methodFields = (currency: DepositCurrency): readonly RequestField[] =>
  currency === "KRW" ? ["payment_code"] : ["payment_code", "bank_code"];

/** The page that requests a deposit from a payer. */
export function NewDepositPage() {
  if (useMay("collect")) return <NewDeposit />;
  return (
    <UploadersOnlyPage
      title={texts.title}
      does={texts.uploadersDo}
      to="/deposits"
      look={texts.lookAtList}
    />
  );
}

/** Requests one deposit: sending the same form again does not create a second one. */
function NewDeposit() {
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const [currency, setCurrency] = useState<DepositCurrency>("INR");
  const [amount, setAmount] = useState("");
  const [given, setGiven] = useState<Partial<Record<RequestField, string>>>({});
  const [hasMethod, setHasMethod] = useState(false);
  const needs: readonly RequestField[] = ["user_id", "deposit_name", ...NEEDS[currency]];
  const method = hasMethod ? methodFields(currency) : [];
  const shown = [...needs, "reference" as const, ...method];
  const ask = useMutation({
    mutationFn: () => {
      const filled = shown.flatMap((name) => {
        const value = given[name] ?? "";
        return value.trim() === "" ? [] : [[name, value] as const];
      });
      const { user_id = "", ...more } = Object.fromEntries(filled) as typeof given;
      return call("POST /api/deposits", {
        body: { currency, amount: readAmount(amount, currency).amount ?? "", user_id, ...more },
        idempotencyKey: key,
      });
    },
    onSuccess: ({ code }) => navigate({ to: `/deposits/${encodeURIComponent(code)}` }),
  });
  const field = (name: RequestField) => (
    <TextInput
      key={name}
      label={texts.fields[name].label}
      description={texts.fields[name].hint}
      autoComplete="off"
      value={given[name] ?? ""}
      onChange={({ currentTarget: { value } }) =>
        setGiven((before) => ({ ...before, [name]: value }))
      }
      required={needs.includes(name)}
    />
  );
  return (
    <Page title={texts.title} crumbs={[{ to: "/deposits", label: texts.deposits }]}>
      <Section title={texts.details}>
        <ActionForm action={ask} verb={texts.button} narrow>
          <NativeSelect
            label={texts.currency}
            data={[...CURRENCIES]}
            value={currency}
            onChange={({ currentTarget }) =>
              setCurrency(CURRENCIES.find((code) => code === currentTarget.value) ?? "INR")
            }
          />
          <AmountInput
            label={texts.amount}
            placeholder={texts.amountHint}
            currency={currency}
            value={amount}
            onChange={setAmount}
            required
          />
          {[...needs, "reference" as const].map(field)}
          <Checkbox
            label={texts.chooseMethod}
            checked={hasMethod}
            onChange={({ currentTarget }) => setHasMethod(currentTarget.checked)}
          />
          {method.map(field)}
        </ActionForm>
      </Section>
    </Page>
  );
}
