import { Button, Group, NativeSelect, NumberInput, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { useMay } from "../../session.ts";
import classes from "./approval-rules.module.css";
import { SettingsPage } from "./frame.tsx";
import { isAmount, isCurrency, RuleAmount, RuleCurrency } from "./rule-fields.tsx";
import { SaveRules } from "./save-rules.tsx";

type Rules = Answer<"GET /api/approval-rules">;
type Rule = Rules["rules"][number];

const KEY = ["GET /api/approval-rules"];

/** How many people a batch takes; admins change it, and see first what it would have meant. */
export function ApprovalRulesPage() {
  const { data: rules, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/approval-rules", { signal }),
    staleTime: Infinity,
  });
  return (
    <SettingsPage title="Approval rules">
      {error ? <ErrorState error={error} /> : null}
      {rules ? <Editor key={JSON.stringify(rules)} rules={rules} /> : error ? null : <Loading />}
    </SettingsPage>
  );
}

const PEOPLE = [
  { value: "1", label: "1: who brings it, alone" },
  { value: "2", label: "2: who brings it, and an approver" },
  { value: "3", label: "3: who brings it, and two approvers" },
];
const MEASURES = [
  { value: "total", label: "the total of the batch" },
  { value: "row", label: "a single payout" },
];

const peopleOf = (text: string): Rule["people"] => (text === "1" ? 1 : text === "2" ? 2 : 3);

function Editor({ rules: saved }: { readonly rules: Rules }) {
  const mayChange = useMay("administer");
  const [base, setBase] = useState(saved.base);
  const [rules, setRules] = useState<readonly Rule[]>(saved.rules);
  const [hours, setHours] = useState(saved.hours);
  const change = (place: number, to: Partial<Rule>): void =>
    setRules(rules.map((rule, at) => (at === place ? { ...rule, ...to } : rule)));
  const isValid = rules.every(
    ({ above, currency }) => isAmount(above) && (currency === null || isCurrency(currency)),
  );
  const next = { base, rules: [...rules], hours };
  return (
    <>
      <Section title="Every batch">
        <NativeSelect
          label="People"
          className={classes.form}
          description={saved.base_is_default ? "Nobody has set it yet; this is the default." : null}
          data={PEOPLE}
          value={`${base}`}
          disabled={!mayChange}
          onChange={({ currentTarget: { value } }) => setBase(peopleOf(value))}
        />
        <NumberInput
          label="An approval counts for (hours)"
          className={classes.form}
          value={hours}
          min={1}
          max={336}
          disabled={!mayChange}
          onChange={(value) => setHours(Number(value) || 1)}
        />
      </Section>
      <Section title="More people for more money">
        <Text size="sm">
          The strictest rule that holds counts. A large sum may stand in one payout or be split over
          many, so there are rules for both. They hold for batches that come in from now on.
        </Text>
        {rules.map((rule, place) => (
          <fieldset key={place} className={classes.rule} disabled={!mayChange}>
            <legend>Rule {place + 1}</legend>
            <NativeSelect
              label="When"
              data={MEASURES}
              value={rule.measure}
              onChange={({ currentTarget: { value } }) =>
                change(place, { measure: value === "row" ? "row" : "total" })
              }
            />
            <RuleAmount
              label="is above"
              value={rule.above}
              onChange={(above) => change(place, { above })}
            />
            <RuleCurrency
              label="in (empty: any currency)"
              value={rule.currency ?? ""}
              onChange={(currency) => change(place, { currency: currency || null })}
              mayBeEmpty
            />
            <NativeSelect
              label="it takes"
              data={PEOPLE}
              value={`${rule.people}`}
              onChange={({ currentTarget: { value } }) =>
                change(place, { people: peopleOf(value) })
              }
            />
            {mayChange ? (
              <Button
                variant="default"
                onClick={() => setRules(rules.filter((_, at) => at !== place))}
              >
                Remove rule {place + 1}
              </Button>
            ) : null}
          </fieldset>
        ))}
        {mayChange ? (
          <Group>
            <Button variant="default" onClick={() => setRules([...rules, NEW_RULE])}>
              Add a rule
            </Button>
          </Group>
        ) : null}
      </Section>
      {mayChange && isValid ? <Tried base={base} rules={rules} /> : null}
      {mayChange ? (
        <SaveRules
          verb="Save the rules"
          isValid={isValid}
          put={() => call("PUT /api/approval-rules", { body: next })}
          change={{ kind: "approval_rules", ...next }}
          queryKey={KEY}
          says="The rules hold for batches that come in from now on."
        />
      ) : null}
    </>
  );
}

const NEW_RULE: Rule = { currency: null, measure: "total", above: "100000", people: 3 };

type TriedBatch = Answer<"POST /api/approval-rules/try">["items"][number];

/** Nothing is changed by looking. */
function Tried({ base, rules }: { readonly base: Rules["base"]; readonly rules: readonly Rule[] }) {
  const { data: tried } = useQuery({
    queryKey: ["POST /api/approval-rules/try", base, rules],
    queryFn: ({ signal }) =>
      call("POST /api/approval-rules/try", { body: { base, rules: [...rules] }, signal }),
    placeholderData: keepPreviousData,
  });
  if (!tried || tried.items.length === 0) return null;
  const others = tried.items.filter(({ now, by_rules }) => now !== by_rules);
  return (
    <Section title="What the last batches would have needed">
      <Text size="sm">
        {others.length === 0
          ? `The last ${tried.items.length} batches would have needed what they needed.`
          : `${others.length} of the last ${tried.items.length} batches would have needed another number of people.`}
      </Text>
      <DataTable
        caption="The last batches by these rules"
        hideCaption
        columns={COLUMNS}
        rows={tried.items}
        rowKey={({ batch_id }) => batch_id}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<TriedBatch>[] = [
  {
    key: "file",
    header: "Batch",
    names: true,
    cell: ({ batch_id, file }) => <Go to={`/batches/${batch_id}`}>{file}</Go>,
  },
  { key: "now", header: "Needed", numeric: true, cell: ({ now }) => now },
  {
    key: "then",
    header: "By these rules",
    numeric: true,
    cell: ({ by_rules }) => by_rules,
  },
  { key: "why", header: "Why", cell: ({ why }) => why },
];
