import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { formatMoney, type Money, sameAmount } from "../../../base/money.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { ZoneField } from "../../../components/forms/zone-field.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import { useMay } from "../../../server/session.ts";
import classes from "./approval-rules.module.css";
import { SettingsPage } from "./settings-page.tsx";
import { isAmount, isCurrency, RuleAmount, RuleCurrency } from "./rule-fields.tsx";
import { SaveRules } from "./save-rules.tsx";
import { messages } from "./messages.tsx";

const texts = messages.limits;

type PayoutLimits = Answer<"GET /api/payout-limits">;
type Limit = PayoutLimits["limits"][number];

const KEY = ["GET /api/payout-limits"];

/** The payout limits: the amounts that may be approved. */
export function PayoutLimitsPage() {
  const { data: terms, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/payout-limits", { signal }),
    staleTime: Infinity,
  });
  return (
    <SettingsPage title={texts.title}>
      {error ? <ErrorState error={error} /> : null}
      {terms ? (
        <LimitsEditor key={JSON.stringify(terms)} saved={terms} />
      ) : error ? null : (
        <Loading />
      )}
    </SettingsPage>
  );
}

const SCOPES: Readonly<Record<Limit["scope"], string>> = texts.scopes;
const CHOICES = Object.entries(SCOPES).map(([value, label]) => ({ value, label }));
const SHORT = Object.entries(texts.short).map(([value, label]) => ({ value, label }));
const EFFECTS = Object.entries(texts.effects).map(([value, label]) => ({ value, label }));
const NEW_LIMIT: Limit = { scope: "day", currency: "", amount: "", hard: true };

function isTwice(limits: readonly Limit[]): boolean {
  const filled = limits.filter(({ currency }) => currency !== "");
  const kinds = new Set(filled.map(({ scope, currency, hard }) => `${scope} ${currency} ${hard}`));
  return kinds.size < filled.length;
}

function LimitsEditor({ saved }: { readonly saved: PayoutLimits }) {
  const mayChange = useMay("administer");
  const [zone, setZone] = useState(saved.zone);
  const [whenShort, setWhenShort] = useState(saved.when_short);
  const [limits, setLimits] = useState<readonly Limit[]>(saved.limits);
  const isValid =
    zone.trim() !== "" &&
    !isTwice(limits) &&
    limits.every(({ amount, currency }) => isAmount(amount) && isCurrency(currency));
  const next = { zone, when_short: whenShort, limits: [...limits] };
  const isChanged =
    JSON.stringify(next) !==
    JSON.stringify({ zone: saved.zone, when_short: saved.when_short, limits: saved.limits });
  return (
    <>
      <LimitsSection limits={limits} mayChange={mayChange} onChange={setLimits} />
      <Section title={texts.allLimits}>
        <ZoneField
          label={texts.zone}
          description={texts.zoneHint}
          className={classes.form}
          value={zone}
          disabled={!mayChange}
          onChange={setZone}
        />
        <NativeSelect
          label={texts.whenShort}
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
          verb={texts.save}
          isValid={isValid && isChanged}
          isChanged={isChanged}
          put={() => call("PUT /api/payout-limits", { body: next })}
          change={{ kind: "payout_limits", ...next }}
          queryKey={KEY}
          says={texts.saved}
        />
      ) : null}
    </>
  );
}

function LimitsSection({
  limits,
  mayChange,
  onChange,
}: {
  readonly limits: readonly Limit[];
  readonly mayChange: boolean;
  readonly onChange: (limits: readonly Limit[]) => void;
}) {
  const usedOf = useUsed();
  return (
    <Section title={texts.section}>
      <Text size="sm">{texts.explanation}</Text>
      {limits.length === 0 ? <Text size="sm">{texts.none}</Text> : null}
      {limits.map((limit, place) => (
        <LimitFields
          key={place}
          place={place}
          limit={limit}
          used={usedOf(limit)}
          mayChange={mayChange}
          onChange={(changed) => onChange(limits.with(place, changed))}
          onRemove={() => onChange(limits.filter((_, at) => at !== place))}
        />
      ))}
      {isTwice(limits) ? (
        <Text size="sm" role="alert">
          {texts.duplicate}
        </Text>
      ) : null}
      {mayChange ? (
        <Group>
          <Button variant="default" onClick={() => onChange([...limits, NEW_LIMIT])}>
            {texts.add}
          </Button>
        </Group>
      ) : null}
    </Section>
  );
}

function LimitFields({
  place,
  limit,
  used,
  mayChange,
  onChange,
  onRemove,
}: {
  /** The index of the limit. */
  readonly place: number;
  readonly limit: Limit;
  /** Undefined: not known, or the limit does not add up over time. */
  readonly used: Used | undefined;
  readonly mayChange: boolean;
  readonly onChange: (limit: Limit) => void;
  readonly onRemove: () => void;
}) {
  return (
    <fieldset className={classes.rule} disabled={!mayChange}>
      <legend>{texts.limit(place + 1)}</legend>
      <NativeSelect
        label={texts.scope}
        data={CHOICES}
        value={limit.scope}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...limit, scope: scopeNamed(value) })
        }
      />
      <RuleAmount
        label={texts.amount}
        value={limit.amount}
        currency={limit.currency}
        onChange={(amount) => onChange({ ...limit, amount })}
      />
      <RuleCurrency
        label={texts.currency}
        value={limit.currency}
        onChange={(currency) => onChange({ ...limit, currency })}
      />
      <NativeSelect
        label={texts.above}
        data={EFFECTS}
        value={limit.hard ? "hard" : "soft"}
        onChange={({ currentTarget: { value } }) => onChange({ ...limit, hard: value === "hard" })}
      />
      {mayChange ? (
        <Button variant="default" onClick={onRemove}>
          {texts.remove(place + 1)}
        </Button>
      ) : null}
      {used === undefined ? null : (
        <Text size="sm" className={classes.used}>
          {texts.used(formatMoney(used.left), formatMoney(used.used))}
        </Text>
      )}
    </fieldset>
  );
}

interface Used {
  readonly used: Money;
  readonly left: Money;
}

/** How much of each saved limit is used. One uploader's limit differs for each uploader. */
function useUsed(): (limit: Limit) => Used | undefined {
  const { data } = useQuery({
    queryKey: ["GET /api/payout-limits/headroom"],
    queryFn: ({ signal }) => call("GET /api/payout-limits/headroom", { signal }),
  });
  return ({ scope, currency, amount, hard }) => {
    const saved = data?.items.find(
      (each) =>
        scope !== "uploader_day" &&
        each.scope === scope &&
        each.currency === currency &&
        each.hard === hard &&
        isAmount(amount) &&
        sameAmount(each.amount, amount),
    );
    return saved?.used ? { used: saved.used, left: saved.left } : undefined;
  };
}

const scopeNamed = (text: string): Limit["scope"] =>
  text in SCOPES ? (text as Limit["scope"]) : "day";
