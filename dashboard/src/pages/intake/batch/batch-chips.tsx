import { RadioChip } from "../../../components/list-table/radio-chip.tsx";
import { listMessages as texts } from "./list-messages.ts";
import type { BatchPayoutSearch } from "./search-params.ts";

/** The cause of a failure as a choice. */
export interface Cause {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** The filters of payouts that exist only within one batch. */
export default function BatchChips({
  causes,
  search,
  onSearch,
}: {
  readonly causes: readonly Cause[];
  readonly search: BatchPayoutSearch;
  readonly onSearch: (search: BatchPayoutSearch) => void;
}) {
  const { reason: _reason, ...withoutReason } = search;
  const { compared: _compared, ...withoutCompared } = search;
  return (
    <>
      <CauseChip
        causes={causes}
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
  causes,
  reason,
  onChange,
}: {
  readonly causes: readonly Cause[];
  readonly reason: string | undefined;
  readonly onChange: (reason: string | undefined) => void;
}) {
  if (causes.length === 0 && reason === undefined) return null;
  return (
    <RadioChip
      label={texts.cause}
      value={reason}
      choices={[{ value: "", label: texts.anyCause }, ...causes]}
      onChange={onChange}
    />
  );
}
