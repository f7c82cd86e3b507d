import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FIVE_ON_PHONE } from "../../../components/folded-rows.tsx";
import { Section } from "../../../components/section.tsx";
import { dateTimeText } from "../../../base/dates.ts";
import { formatAmount, shareOf } from "../../../base/money.ts";
import { PlainAmount } from "../../../components/amount.tsx";
import type { Tone } from "../../../base/state.ts";
import classes from "./figures.module.css";
import { messages } from "./figure-messages.ts";
import type { Figures } from "./queries.ts";

const texts = messages.balances;

type Lane = Figures["lanes"][number];

const DAYS = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Lanes that last longer than this are shown on request, except for the first few. */
const LONG_TENTHS = 70;
const SHOWN_MIN = 8;
/** A longer cover is not given exactly: its days are an extrapolation. */
const LONGEST_TENTHS = 990;

/** Tenths of a day below which a lane needs money now, or soon. */
const LOW_TENTHS = 10;
const MEDIUM_TENTHS = 30;

const COLUMNS: readonly Column<Lane>[] = [
  {
    key: "lane",
    header: texts.lane,
    names: true,
    cell: ({ lane, name, currency, settled_since: since }) => (
      <>
        <span className={classes.lane} title={lane}>
          {name}
        </span>
        {since !== null && hasValue(since) ? (
          <small className={classes.since}>
            {texts.settledSince(formatAmount(since, currency))}
          </small>
        ) : null}
      </>
    ),
  },
  {
    key: "available",
    header: texts.available,
    numeric: true,
    card: "amount",
    cell: (lane) => <Available of={lane} />,
  },
  {
    key: "reserved",
    header: texts.reserved,
    numeric: true,
    cell: (lane) => (
      <>
        <span className={classes.quiet}>
          <PlainAmount of={{ currency: lane.currency, amount: lane.reserved }} />
        </span>
        <ReservedShare of={lane} />
      </>
    ),
  },
  { key: "cover", header: texts.cover, numeric: true, cell: (lane) => <Cover of={lane} /> },
];

/** The available balance of each lane, and for how many days it lasts. */
export function Balances({ lanes }: { readonly lanes: readonly Lane[] }) {
  const sorted = lanes.toSorted((one, other) => rankOf(one) - rankOf(other));
  const short = sorted.filter((lane) => rankOf(lane) < LONG_TENTHS).length;
  const wide = Math.max(short, SHOWN_MIN);
  return (
    <Section title={texts.title} caption={captionOf(lanes)} isFlush>
      {lanes.length === 0 ? (
        <p className={classes.empty}>{texts.empty}</p>
      ) : (
        <>
          <DataTable
            caption={texts.title}
            hideCaption
            columns={COLUMNS}
            rows={sorted}
            rowKey={({ lane }) => lane}
            fold={{ ...FIVE_ON_PHONE, wide, label: texts.showAll }}
          />
          <div className={classes.note}>
            <span>
              {lanes.some(({ reported_at: at }) => at === null) ? `${texts.soon} ` : ""}
              {texts.explained}
            </span>
          </div>
        </>
      )}
    </Section>
  );
}

/** The available amount. Until a new balance arrives, the last one with its time. */
function Available({
  of: { currency, available, last_balance: last, unknown, reported_at: at },
}: {
  readonly of: Lane;
}) {
  if (available !== null) {
    return (
      <span title={at === null ? undefined : texts.reportedAt(dateTimeText(at))}>
        <PlainAmount of={{ currency, amount: available }} />
      </span>
    );
  }
  return (
    <span className={classes.quiet} title={unknown ?? undefined}>
      {last === null || at === null ? (
        texts.notReported
      ) : (
        <>
          <PlainAmount of={{ currency, amount: last }} />
          <small className={classes.since}>{texts.lastReported(dateTimeText(at))}</small>
        </>
      )}
    </span>
  );
}

/** Whether a decimal amount is not zero. */
const hasValue = (amount: string): boolean => /[1-9]/.test(amount);

/** Lanes that last the shortest come first, unknown ones last. */
const rankOf = ({ cover_tenths }: Lane): number => cover_tenths ?? Number.POSITIVE_INFINITY;

/** The time of the oldest balance shown. */
function captionOf(lanes: readonly Lane[]): ReactNode {
  const times = lanes
    .filter(({ available }) => available !== null)
    .flatMap(({ reported_at }) => reported_at ?? [])
    .toSorted();
  return times[0] === undefined ? undefined : (
    <time dateTime={times[0]}>{texts.asOf(dateTimeText(times[0]))}</time>
  );
}

function ReservedShare({ of: { currency, balance, reserved } }: { readonly of: Lane }) {
  if (balance === null) return null;
  const text = texts.shareOf(formatAmount(reserved, currency), formatAmount(balance, currency));
  return (
    <span className={classes.share} role="img" aria-label={text} title={text}>
      <i style={{ width: `${shareOf(reserved, [balance])}%` }} />
    </span>
  );
}

function Cover({ of: { cover_tenths: tenths, available } }: { readonly of: Lane }) {
  if (available === null) return "–";
  if (tenths === null) return <span className={classes.quiet}>{texts.noPayouts}</span>;
  const tone: Tone | undefined =
    tenths < LOW_TENTHS ? "declined" : tenths < MEDIUM_TENTHS ? "awaiting" : undefined;
  return (
    <span className={classes.cover} data-tone={tone}>
      {tone === "declined" ? <TriangleAlert size={13} aria-hidden /> : null}
      {tenths > LONGEST_TENTHS ? texts.long : texts.daysOf(DAYS.format(tenths / 10))}
    </span>
  );
}
