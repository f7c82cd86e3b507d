import { useQuery } from "@tanstack/react-query";
import { RadioChip } from "../../../components/list-table/radio-chip.tsx";
import type { BatchView } from "../queries.ts";
import { causeName, failuresOf, hasFailures } from "./causes.tsx";
import { listMessages as texts } from "./list-messages.ts";
import type { BatchPayoutSearch } from "./search-params.ts";

/** The filters of payouts that exist only within one batch. */
export default function BatchChips({
  batch,
  search,
  onSearch,
}: {
  readonly batch: BatchView;
  readonly search: BatchPayoutSearch;
  readonly onSearch: (search: BatchPayoutSearch) => void;
}) {
  const { reason: _reason, ...withoutReason } = search;
  const { compared: _compared, ...withoutCompared } = search;
  return (
    <>
      <CauseChip
        batch={batch}
        reason={search.reason}
        onChange={(reason) => onSearch({ ...withoutReason, ...(reason && { reason }) })}
      />
      <RadioChip
        label={texts.compared}
        value={search.compared}
        choices={[
          { value: "", label: texts.allCompared },
          { value: "changed", label: texts.changed },
        ]}
        onChange={(compared) => onSearch({ ...withoutCompared, ...(compared && { compared }) })}
      />
    </>
  );
}

/** A filter by the cause of a failure. The choices are the causes that occur in the batch. */
function CauseChip({
  batch,
  reason,
  onChange,
}: {
  readonly batch: BatchView;
  readonly reason: string | undefined;
  readonly onChange: (reason: string | undefined) => void;
}) {
  const { data: failures } = useQuery({ ...failuresOf(batch), enabled: hasFailures(batch) });
  const causes = new Map<string, { readonly label: string; readonly count: number }>();
  for (const group of failures?.groups ?? []) {
    if (group.reason === null) continue;
    const count = group.count + (causes.get(group.reason)?.count ?? 0);
    causes.set(group.reason, { label: causeName(group), count });
  }
  if (causes.size === 0 && reason === undefined) return null;
  return (
    <RadioChip
      label={texts.cause}
      value={reason}
      choices={[
        { value: "", label: texts.anyCause },
        ...[...causes].map(([value, cause]) => ({ value, ...cause })),
      ]}
      onChange={onChange}
    />
  );
}
