import { Button, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Section } from "../../../components/section.tsx";
import { messages as texts } from "./messages.ts";
import type { Mapping, MappingQuestion } from "./use-statement.ts";

/** Shows how the columns of a statement will be read, for a person to correct and confirm. */
export function MappingForm({
  question: { mapping, names, samples },
  isSending,
  onConfirm,
}: {
  readonly question: MappingQuestion;
  readonly isSending: boolean;
  readonly onConfirm: (mapping: Mapping) => void;
}) {
  const [columns, setColumns] = useState(mapping.columns);
  const [amounts, setAmounts] = useState(mapping.amounts);
  const [sign, setSign] = useState(mapping.sign);
  const [words, setWords] = useState(textOf(mapping.words));
  const [zone, setZone] = useState(mapping.zone);
  const choose = (field: string, name: string): void => {
    const others = Object.entries(columns).filter(([each]) => each !== field);
    setColumns(Object.fromEntries(name === "" ? others : [...others, [field, name]]));
  };
  const chosen = Object.values(columns);
  const isComplete =
    texts.required.every((fields) => fields.some((field) => columns[field] !== undefined)) &&
    new Set(chosen).size === chosen.length;
  return (
    <Section title={texts.mapping}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm({ columns, amounts, sign, words: wordsIn(words), zone: zone.trim() });
        }}
      >
        <Stack maw={480}>
          <Text size="sm">{texts.mappingExplained}</Text>
          <Columns columns={columns} names={names} samples={samples} onChoose={choose} />
          <NativeSelect
            label={texts.amounts}
            value={amounts}
            data={texts.amountStyles}
            onChange={({ currentTarget }) => setAmounts(currentTarget.value)}
          />
          <NativeSelect
            label={texts.sign}
            value={sign}
            data={Object.entries(texts.signs).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => setSign(currentTarget.value)}
          />
          <Textarea
            label={texts.words}
            description={texts.wordsHint}
            autosize
            minRows={1}
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <TextInput
            label={texts.zone}
            description={texts.zoneHint}
            value={zone}
            onChange={({ currentTarget }) => setZone(currentTarget.value)}
          />
          <div>
            <Button type="submit" loading={isSending} disabled={!isComplete}>
              {texts.confirm}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

/** The column of each field. */
const Columns = ({
  columns,
  names,
  samples,
  onChoose,
}: Pick<MappingQuestion, "names" | "samples"> & {
  readonly columns: Mapping["columns"];
  readonly onChoose: (field: string, name: string) => void;
}) =>
  Object.entries(texts.fields).map(([field, label]) => (
    <NativeSelect
      key={field}
      label={label}
      description={texts.firstValues(samples[names.indexOf(columns[field] ?? "")] ?? [])}
      value={columns[field] ?? ""}
      data={[{ value: "", label: texts.notRead }, ...names]}
      onChange={({ currentTarget }) => onChoose(field, currentTarget.value)}
    />
  ));

const textOf = (words: Mapping["words"]): string =>
  Object.entries(words)
    .map(([word, result]) => `${word}=${result}`)
    .join("\n");

/** Reads one word with its result per line. The server refuses a line without a result. */
const wordsIn = (text: string): Mapping["words"] =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.lastIndexOf("=");
        return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
