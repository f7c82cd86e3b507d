import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  type KeyboardEvent as Key,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type Answer, call } from "../server/client.ts";
import { Amount } from "../components/amount.tsx";
import { UserText } from "../components/user-text.tsx";
import {
  BatchStateBadge,
  DepositStateBadge,
  PayoutStateBadge,
} from "../components/payout/state-badge.tsx";
import { useShortcuts } from "../base/shortcuts.ts";
import { batchName } from "../base/text.ts";
import classes from "./search-box.module.css";
import { messages } from "./messages.tsx";

const texts = messages.search;

type Found = Answer<"POST /api/search">;

interface Option {
  readonly key: string;
  readonly to: string;
  readonly shown: ReactNode;
}

const TYPED_MS = 200;

/**
 * One search for codes, batches, gateway numbers, amounts, accounts, names, files, users and
 * references. An exact code opens its page.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const id = useId();
  const input = useFocusKeys();
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [asked] = useDebouncedValue(text.trim(), TYPED_MS);
  const search = useQuery({
    queryKey: ["POST /api/search", asked],
    queryFn: ({ signal }) => call("POST /api/search", { body: { q: asked }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const found = asked === "" ? undefined : search.data;
  const payouts = (found?.payouts ?? []).map(payoutOption);
  const batches = (found?.batches ?? []).map(batchOption);
  const deposits = (found?.deposits ?? []).map(depositOption);
  const options = [...payouts, ...batches, ...deposits];
  const isShown = isOpen && text.trim() !== "";

  const go = (to: string): void => {
    setOpen(false);
    setText("");
    setActive(-1);
    input.current?.blur();
    void navigate({ to });
  };
  const press = (event: Key<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setOpen(true);
      setActive((before) => (before + step + options.length) % options.length);
    } else if (event.key === "Escape") {
      setOpen(false);
      setText("");
    } else if (event.key === "Enter") {
      event.preventDefault();
      const exact =
        text.trim() === asked && !search.isPlaceholderData ? exactMatchAddress(found) : null;
      const to = options[active]?.to ?? exact ?? (active < 0 ? options[0]?.to : undefined);
      if (to) go(to);
    }
  };
  const list = (heading: string, some: readonly Option[], offset: number): ReactNode =>
    some.length === 0 ? null : (
      <div role="group" aria-label={heading}>
        <div className={classes.heading} role="presentation">
          {heading}
        </div>
        {some.map(({ key, to, shown }, at) => (
          <div
            key={key}
            id={`${id}-${offset + at}`}
            role="option"
            aria-selected={offset + at === active}
            className={classes.option}
            tabIndex={-1}
            onMouseDown={(event) => {
              event.preventDefault(); // keeps the focus in the box
              go(to);
            }}
          >
            {shown}
          </div>
        ))}
      </div>
    );

  return (
    <search className={classes.box} aria-label={texts.region}>
      <input
        ref={input}
        type="text"
        className={classes.input}
        role="combobox"
        aria-label={texts.label}
        aria-keyshortcuts="/ Control+K"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={texts.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(-1);
          setOpen(true);
        }}
        onKeyDown={press}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      {isShown ? (
        <div className={classes.list}>
          <div id={`${id}-list`} role="listbox" aria-label={texts.results}>
            {list(texts.payouts, payouts, 0)}
            {list(texts.batches, batches, payouts.length)}
            {list(texts.deposits, deposits, payouts.length + batches.length)}
          </div>
          {options.length === 0 ? (
            <p className={classes.says} role="status">
              {search.error
                ? texts.failed
                : search.isFetching || text.trim() !== asked
                  ? texts.searching
                  : found?.accounts_left_out
                    ? texts.accountsHidden
                    : texts.empty}
            </p>
          ) : null}
        </div>
      ) : null}
    </search>
  );
}

/** `/` and Ctrl-K move the focus to the search box. */
function useFocusKeys() {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts((key, event) => {
    if (key === "/") enter(input.current, event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (isK) enter(input.current, event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return input;
}

function enter(box: HTMLInputElement | null, event: KeyboardEvent): void {
  event.preventDefault();
  box?.focus();
  box?.select();
}

function exactMatchAddress(found: Found | undefined): string | null {
  if (!found?.exact) return null;
  const { kind, id } = found.exact;
  return ADDRESSES[kind](id);
}

const payoutAddress = (code: string): string => `/payouts/${encodeURIComponent(code)}`;
const batchAddress = (id: string): string => `/batches/${encodeURIComponent(id)}`;
const depositAddress = (code: string): string => `/deposits/${encodeURIComponent(code)}`;

const ADDRESSES = { payout: payoutAddress, batch: batchAddress, deposit: depositAddress };

const payoutOption = (payout: Found["payouts"][number]): Option => ({
  key: payout.code,
  to: payoutAddress(payout.code),
  shown: (
    <>
      <Amount of={payout} />
      {payout.beneficiary === null ? null : <UserText text={payout.beneficiary} />}
      <PayoutStateBadge state={payout.state} />
      <span className={classes.code}>{payout.code}</span>
    </>
  ),
});

const batchOption = ({ id, file_name, name, state, send }: Found["batches"][number]): Option => ({
  key: id,
  to: batchAddress(id),
  shown: (
    <>
      <UserText text={batchName({ name, file: file_name })} />
      <BatchStateBadge
        state={state as Parameters<typeof BatchStateBadge>[0]["state"]}
        send={send}
      />
      <span className={classes.code}>{id}</span>
    </>
  ),
});

const depositOption = (deposit: Found["deposits"][number]): Option => ({
  key: deposit.code,
  to: depositAddress(deposit.code),
  shown: (
    <>
      <Amount of={deposit} />
      <UserText text={deposit.user_id} />
      <DepositStateBadge state={deposit.state} />
      <span className={classes.code}>{deposit.code}</span>
    </>
  ),
});
