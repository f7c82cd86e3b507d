import { Select } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAfterTyping } from "../../base/list/use-after-typing.ts";
import { batchName, isolateDirection } from "../../base/text.ts";
import { type Answer, call } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.form;

type Batch = Answer<"GET /api/batches">["items"][number];

/** Number of batches offered; the search finds all others. */
const OFFERED = 20;
/** Chooses the batch whose rows a schedule pays, by its name, its file or its number. */
export default function ListPicker({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (batchId: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<Batch | null>(null);
  const { data: given } = useQuery({
    queryKey: ["GET /api/batches", "list", "given", value],
    queryFn: ({ signal }) => call("GET /api/batches", { query: { limit: 1, text: value }, signal }),
    enabled: value !== "" && chosen?.batch_id !== value,
  });
  const current = chosen?.batch_id === value ? chosen : (given?.items[0] ?? null);
  const isChosen = current !== null && typed === labelOf(current);
  const text = useAfterTyping(isChosen ? "" : typed.trim());
  const { data } = useQuery({
    queryKey: ["GET /api/batches", "list", text],
    queryFn: ({ signal }) =>
      call("GET /api/batches", {
        query: { limit: OFFERED, ...(text === "" ? {} : { text }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const found = data?.items.filter(({ rows, rejected }) => rows > rejected) ?? [];
  const offered =
    current && !found.some(({ batch_id: id }) => id === current.batch_id)
      ? [current, ...found]
      : found;
  return (
    <Select
      label={texts.list}
      description={texts.listHint}
      placeholder={texts.listSearch}
      data={offered.map((batch) => ({ value: batch.batch_id, label: labelOf(batch) }))}
      // The server has searched already, also in fields that the label does not show.
      filter={({ options }) => options}
      value={value === "" ? null : value}
      onChange={(id) => {
        setChosen(offered.find(({ batch_id: each }) => each === id) ?? null);
        onChange(id ?? "");
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={texts.noList}
      searchable
      clearable
      required
    />
  );
}

const labelOf = (batch: Batch): string =>
  texts.listOption(isolateDirection(batchName(batch)), batch.rows - batch.rejected, batch.batch_id);
