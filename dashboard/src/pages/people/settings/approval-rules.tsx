import { Button, Group, NativeSelect, NumberInput, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import { useMay } from "../../../server/session.ts";
import classes from "./approval-rules.module.css";
import { SettingsPage } from "./settings-page.tsx";
import { isAmount, isCurrency, RuleAmount, RuleCurrency } from "./rule-fields.tsx";
import { SaveRules } from "./save-rules.tsx";
import { messages } from "./messages.tsx";

const texts = messages.approvalRules;

type Rules = Answer<"GET /api/approval-rules">;
type Rule = Rules["rules"][number];

const KEY = ["GET /api/approval-rules"];

/**
 * The number of people that a batch needs. Admins see the effect on recent batches before they
 * save.
 */
export function ApprovalRulesPage() {
  const { data: rules, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/approval-rules", { signal }),
    staleTime: Infinity,
  });
  return (
    <SettingsPage title={texts.title}>
      {error ? <ErrorState error={error} /> : null}
      {rules ? (
        <RulesEditor key={JSON.stringify(rules)} rules={rules} />
      ) : error ? null : (
        <Loading />
      )}
    </SettingsPage>
  );
}

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const PEOPLE = choicesOf(texts.people);
const MEASURES = choicesOf(texts.measures);

const peopleOf = (text: string): Rule["people"] => (text === "1" ? 1 : text === "2" ? 2 : 3);

function RulesEditor({ rules: saved }: { readonly rules: Rules }) {
  const mayChange = useMay("administer");
  const [base, setBase] = useState(saved.base);
  const [rules, setRules] = useState<readonly Rule[]>(saved.rules);
  const [hours, setHours] = useState(saved.hours);
  const isValid = rules.every(
    ({ above, currency }) => isAmount(above) && (currency === null || isCurrency(currency)),
  );
  const next = { base, rules: [...rules], hours };
  const isChanged =
    JSON.stringify(next) !==
    JSON.stringify({ base: saved.base, rules: saved.rules, hours: saved.hours });
  return (
    <>
      <Section title={texts.everyBatch}>
        <NativeSelect
          label={texts.peopleLabel}
          className={classes.form}
          description={saved.base_is_default ? texts.isDefault : null}
          data={PEOPLE}
          value={`${base}`}
          disabled={!mayChange}
          onChange={({ currentTarget: { value } }) => setBase(peopleOf(value))}
        />
        <NumberInput
          label={texts.validHours}
          className={classes.form}
          value={hours}
          min={1}
          max={336}
          disabled={!mayChange}
          onChange={(value) => setHours(Number(value) || 1)}
        />
      </Section>
      <LargeAmountRules rules={rules} mayChange={mayChange} onChange={setRules} />
      {mayChange && isValid ? <RulesPreview base={base} rules={rules} /> : null}
      {mayChange ? (
        <SaveRules
          verb={texts.save}
          isValid={isValid && isChanged}
          isChanged={isChanged}
          put={() => call("PUT /api/approval-rules", { body: next })}
          change={{ kind: "approval_rules", ...next }}
          queryKey={KEY}
          says={texts.saved}
        />
      ) : null}
    </>
  );
}

/** The rules that ask for more people above an amount. */
function LargeAmountRules({
  rules,
  mayChange,
  onChange,
}: {
  readonly rules: readonly Rule[];
  readonly mayChange: boolean;
  readonly onChange: (rules: readonly Rule[]) => void;
}) {
  return (
    <Section title={texts.largeAmounts}>
      <Text size="sm">{texts.explanation}</Text>
      {rules.map((rule, place) => (
        <RuleFields
          key={place}
          place={place}
          rule={rule}
          mayChange={mayChange}
          onChange={(changed) => onChange(rules.with(place, changed))}
          onRemove={() => onChange(rules.filter((_, at) => at !== place))}
        />
      ))}
      {mayChange ? (
        <Group>
          <Button variant="default" onClick={() => onChange([...rules, NEW_RULE])}>
            {texts.add}
          </Button>
        </Group>
      ) : null}
    </Section>
  );
}

function RuleFields({
  place,
  rule,
  mayChange,
  onChange,
  onRemove,
}: {
  /** The index of the rule. */
  readonly place: number;
  readonly rule: Rule;
  readonly mayChange: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}) {
  return (
    <fieldset className={classes.rule} disabled={!mayChange}>
      <legend>{texts.rule(place + 1)}</legend>
      <NativeSelect
        label={texts.when}
        data={MEASURES}
        value={rule.measure}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...rule, measure: value === "row" ? "row" : "total" })
        }
      />
      <RuleAmount
        label={texts.above}
        value={rule.above}
        currency={rule.currency}
        onChange={(above) => onChange({ ...rule, above })}
      />
      <RuleCurrency
        label={texts.currency}
        value={rule.currency ?? ""}
        onChange={(currency) => onChange({ ...rule, currency: currency || null })}
        mayBeEmpty
      />
      <NativeSelect
        label={texts.needs}
        data={PEOPLE}
        value={`${rule.people}`}
        onChange={({ currentTarget: { value } }) => onChange({ ...rule, people: peopleOf(value) })}
      />
      {mayChange ? (
        <Button variant="default" onClick={onRemove}>
          {texts.remove(place + 1)}
        </Button>
      ) : null}
    </fieldset>
  );
}

const NEW_RULE: Rule = { currency: null, measure: "total", above: "100000", people: 3 };

type TriedBatch = Answer<"POST /api/approval-rules/preview">["items"][number];

/** Shows the effect of the rules on recent batches, without saving them. */
function RulesPreview({
  base,
  rules,
}: {
  readonly base: Rules["base"];
  readonly rules: readonly Rule[];
}) {
  const { data: tried } = useQuery({
    queryKey: ["POST /api/approval-rules/preview", base, rules],
    queryFn: ({ signal }) =>
      call("POST /api/approval-rules/preview", { body: { base, rules: [...rules] }, signal }),
    placeholderData: keepPreviousData,
  });
  if (!tried || tried.items.length === 0) return null;
  const others = tried.items.filter(({ now, by_rules }) => now !== by_rules);
  return (
    <Section title={texts.tried}>
      <Text size="sm">
        {others.length === 0
          ? texts.unchanged(tried.items.length)
          : texts.changed(others.length, tried.items.length)}
      </Text>
      {others.length === 0 ? null : (
        <DataTable
          caption={texts.triedCaption}
          hideCaption
          columns={COLUMNS}
          rows={others}
          rowKey={({ batch_id }) => batch_id}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<TriedBatch>[] = [
  {
    key: "file",
    header: texts.batch,
    names: true,
    cell: ({ batch_id, file }) => <PageLink to={`/batches/${batch_id}`}>{file}</PageLink>,
  },
  { key: "now", header: texts.now, numeric: true, cell: ({ now }) => now },
  {
    key: "then",
    header: texts.byRules,
    numeric: true,
    cell: ({ by_rules }) => by_rules,
  },
  { key: "why", header: texts.why, cell: ({ why }) => why },
];
