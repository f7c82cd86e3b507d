import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent as Key, useEffect, useId, useRef, useState } from "react";
import { useShortcuts } from "../base/shortcuts.ts";
import { messages } from "./messages.tsx";
import classes from "./search-box.module.css";
import { ResultList, useSearchResults } from "./search-results.tsx";

const texts = messages.search;

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
  const results = useSearchResults(text.trim());
  const options = results.groups.flatMap((group) => group.options);
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
      const first = active < 0 ? options[0]?.to : undefined;
      const to = options[active]?.to ?? results.exact ?? first;
      if (to) go(to);
    }
  };

  return (
    <search className={classes.box} aria-label={texts.region}>
      <Search size={16} className={classes.icon} aria-hidden />
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
      <kbd className={classes.key} aria-hidden>
        {texts.key}
      </kbd>
      {isShown ? <ResultList id={id} active={active} results={results} onChoose={go} /> : null}
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
