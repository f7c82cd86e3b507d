import { useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { loadLateStyles } from "../base/load-late-styles.ts";
import { useShortcuts } from "../base/shortcuts.ts";
import { collectTyping } from "./palette/early-typing.ts";
import { messages } from "./messages.tsx";
import { useDestinations } from "./page-shortcuts.ts";
import classes from "./search-button.module.css";

const texts = messages.search;

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Loads the command palette, which the first page does not need. */
export const loadPalette = () => import("./palette/command-palette.tsx");
const CommandPalette = lazy(async () => (await Promise.all([loadPalette(), loadLateStyles()]))[0]);

/** Opens the command palette. So do Ctrl-K, Cmd-K and `/`, unless a dialog is open. */
export function SearchButton({ onKeys }: { readonly onKeys: () => void }) {
  const [openings, setOpenings] = useState(0);
  const show = (): void => {
    collectTyping();
    setOpenings((before) => before + 1);
  };
  const pages = useDestinations().filter(({ group }) => group !== null);
  const open = (): void => {
    const dialogs = document.querySelectorAll(":is(dialog[open],[aria-modal=true])");
    // A closed dialog may stay in the document.
    if (![...dialogs].some((dialog) => dialog.checkVisibility())) show();
  };
  useHotkeys([["mod+K", open]], []);
  useShortcuts((key, event) => {
    if (key !== "/") return;
    event.preventDefault(); // or the slash would be typed into the field
    open();
  });
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
        onClick={show}
      >
        <Search size={16} className={classes.icon} aria-hidden />
        <span className={classes.text}>{texts.label}</span>
        <kbd className={classes.key}>{isMac ? texts.keyMac : texts.key}</kbd>
      </button>
      {openings > 0 ? (
        <Suspense fallback={null}>
          <CommandPalette openings={openings} pages={pages} onKeys={onKeys} />
        </Suspense>
      ) : null}
    </>
  );
}
