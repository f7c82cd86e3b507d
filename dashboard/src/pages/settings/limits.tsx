import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { useMay } from "../../session.ts";
import classes from "./approval-rules.module.css";
import { SettingsPage } from "./frame.tsx";
import { isAmount, isCurrency, RuleAmount, RuleCurrency } from "./rule-fields.tsx";
import { SaveRules } from "./save-rules.tsx";

type Terms = Answer<"GET /api/money-limits">;
type Limit = Terms["limits"][number];

const KEY = ["GET /api/money-limits"];

/** How much money may be approved. */
export function LimitsPage() {
  const { data: terms, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/money-limits", { signal }),
    staleTime: Infinity,
  });
  return (
    <SettingsPage title="Limits">
      {error ? <ErrorState error={error} /> : null}
      {terms ? <Editor key={JSON.stringify(terms)} saved={terms} /> : error ? null : <Loading />}
    </SettingsPage>
  );
}

const SCOPES: Readonly<Record<Limit["scope"], string>> = {
  row: "one payout",
  batch: "all payouts of a batch",
  day: "everything approved in a day",
  beneficiary_day: "one account in a day",
  beneficiary_week: "one account in seven days",
  uploader_day: "one uploader in a day",
};
const CHOICES = Object.entries(SCOPES).map(([value, label]) => ({ value, label }));
const SHORT = [
  { value: "warn", label: "approvers are warned" },
  { value: "refuse", label: "it cannot be approved" },
];
const NEW_LIMIT: Limit = { scope: "day", currency: "", amount: "", hard: true };

const isTwice = (limits: readonly Limit[]): boolean =>
  new Set(limits.map(({ scope, currency, hard }) => `${scope} ${currency} ${hard}`)).size <
  limits.length;

function Editor({ saved }: { readonly saved: Terms }) {
  const mayChange = useMay("administer");
  const [zone, setZone] = useState(saved.zone);
  const [whenShort, setWhenShort] = useState(saved.when_short);
  const [limits, setLimits] = useState<readonly Limit[]>(saved.limits);
  const change = (place: number, to: Partial<Limit>): void =>
    setLimits(limits.map((limit, at) => (at === place ? { ...limit, ...to } : limit)));
  const isValid =
    zone.trim() !== "" &&
    !isTwice(limits) &&
    limits.every(({ amount, currency }) => isAmount(amount) && isCurrency(currency));
  const next = { zone, when_short: whenShort, limits: [...limits] };
  return (
    <>
      <Section title="How much may be approved">
        <Text size="sm">
          Each limit holds from the first unit above it. A hard one cannot be approved past; past a
          soft one it takes one more person than otherwise. What is approved counts until it is
          conclusively declined.
        </Text>
        {limits.length === 0 ? <Text size="sm">There are no limits.</Text> : null}
        {limits.map((limit, place) => (
          <fieldset key={place} className={classes.rule} disabled={!mayChange}>
            <legend>Limit {place + 1}</legend>
            <NativeSelect
              label="Of"
              data={CHOICES}
              value={limit.scope}
              onChange={({ currentTarget: { value } }) =>
                change(place, { scope: scopeNamed(value) })
              }
            />
            <RuleAmount
              label="At most"
              value={limit.amount}
              onChange={(amount) => change(place, { amount })}
            />
            <RuleCurrency
              label="Currency"
              value={limit.currency}
              onChange={(currency) => change(place, { currency })}
            />
            <Checkbox
              label="Hard: nobody can approve more"
              checked={limit.hard}
              disabled={!mayChange}
              onChange={({ currentTarget: { checked } }) => change(place, { hard: checked })}
            />
            {mayChange ? (
              <Button
                variant="default"
                onClick={() => setLimits(limits.filter((_, at) => at !== place))}
              >
                Remove limit {place + 1}
              </Button>
            ) : null}
          </fieldset>
        ))}
        {isTwice(limits) ? (
          <Text size="sm" role="alert">
            A limit stands there twice: of one kind there is one hard and one soft one for each
            currency.
          </Text>
        ) : null}
        {mayChange ? (
          <Group>
            <Button variant="default" onClick={() => setLimits([...limits, NEW_LIMIT])}>
              Add a limit
            </Button>
          </Group>
        ) : null}
      </Section>
      <Section title="For all of them">
        <TextInput
          label="A day begins at midnight in"
          description="A time zone such as Asia/Kolkata"
          className={classes.form}
          value={zone}
          disabled={!mayChange}
          onChange={({ currentTarget: { value } }) => setZone(value.trim())}
        />
        <NativeSelect
          label="Where the balance is not known to cover a batch"
          className={classes.form}
          data={SHORT}
          value={whenShort}
          disabled={!mayChange}
          onChange={({ currentTarget: { value } }) =>
            setWhenShort(value === "refuse" ? "refuse" : "warn")
          }
        />
      </Section>
      {mayChange ? (
        <SaveRules
          verb="Save the limits"
          isValid={isValid}
          put={() => call("PUT /api/money-limits", { body: next })}
          change={{ kind: "money_limits", ...next }}
          queryKey={KEY}
          says="The limits hold from the next approval on."
        />
      ) : null}
    </>
  );
}

const scopeNamed = (text: string): Limit["scope"] =>
  text in SCOPES ? (text as Limit["scope"]) : "day";
