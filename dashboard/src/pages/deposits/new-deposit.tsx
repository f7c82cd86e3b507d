import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { DepositDetailField } from "#deposit/deposit.ts";
import type { DEPOSIT_REQUIREMENTS, DepositCurrency } from "#deposit/requirements.ts";
import { call } from "../../client.ts";
import { AmountInput } from "../../components/amount-input.tsx";
import { ActionForm } from "../../components/action-form.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { readAmount } from "../../money.ts";
import { ForUploaders } from "../../components/for-uploaders.tsx";
import { useMay } from "../../session.ts";

type Field = DepositDetailField | "payment_code" | "reference";

/** What the gateway takes deposits in, and what it needs to know of the payer there: the server's table, word for word. */
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

// biome-ignore format: the columns are the point
const FIELDS: readonly { readonly name: Field; readonly label: string; readonly hint?: string }[] = [
  { name: "user_id",      label: "User", hint: "Your own key for whoever pays." },
  { name: "reference",    label: "Reference", hint: "Your own name for it, such as an order number. It is not sent." },
  { name: "deposit_name", label: "Payer's name" },
  { name: "phone",        label: "Phone", hint: "11 digits, without country code." },
  { name: "identity_id",  label: "Identity number" },
  { name: "bank_code",    label: "Bank code", hint: "Where the payment method asks for one." },
  { name: "payment_code", label: "Payment method", hint: "In place of the merchant's own." },
];

export function NewDepositPage() {
  if (useMay("collect")) return <NewDeposit />;
  return (
    <ForUploaders
      title="Ask for a deposit"
      does="ask for deposits"
      to="/deposits"
      look="Look at the deposits"
    />
  );
}

/** Asks the gateway, once: the same form sent again is the same deposit. */
function NewDeposit() {
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const [currency, setCurrency] = useState<DepositCurrency>("INR");
  const [amount, setAmount] = useState("");
  const [given, setGiven] = useState<Partial<Record<Field, string>>>({});
  const needs: readonly Field[] = ["user_id", "deposit_name", ...NEEDS[currency]];
  const ask = useMutation({
    mutationFn: () => {
      const filled = Object.entries(given).filter(([, value]) => value.trim() !== "");
      const { user_id = "", ...more } = Object.fromEntries(filled) as typeof given;
      return call("POST /api/deposits", {
        body: { currency, amount: readAmount(amount, currency).amount ?? "", user_id, ...more },
        idempotencyKey: key,
      });
    },
    onSuccess: ({ code }) => navigate({ to: `/deposits/${encodeURIComponent(code)}` }),
  });
  return (
    <Page title="Ask for a deposit">
      <Section title="What is asked for">
        <ActionForm action={ask} verb="Ask the gateway">
          <NativeSelect
            label="Currency"
            data={[...CURRENCIES]}
            value={currency}
            onChange={({ currentTarget }) =>
              setCurrency(CURRENCIES.find((code) => code === currentTarget.value) ?? "INR")
            }
          />
          <AmountInput
            label="Amount"
            placeholder="1200 or 99.50"
            currency={currency}
            value={amount}
            onChange={setAmount}
            required
          />
          {FIELDS.map(({ name, label, hint }) => (
            <TextInput
              key={name}
              label={label}
              description={hint}
              autoComplete="off"
              value={given[name] ?? ""}
              onChange={({ currentTarget: { value } }) =>
                setGiven((before) => ({ ...before, [name]: value }))
              }
              required={name === "user_id" || needs.includes(name)}
            />
          ))}
        </ActionForm>
      </Section>
    </Page>
  );
}
