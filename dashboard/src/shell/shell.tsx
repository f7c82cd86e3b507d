import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Menu, X } from "lucide-react";
import { lazy, type RefObject, Suspense, useRef, useState } from "react";
import { useStepUpRequested } from "../server/step-up.ts";
import { EnvironmentBanner } from "./environment-banner.tsx";
import { frameQuery } from "./frame-query.ts";
import { GatewayStatusIndicator } from "./gateway-status-indicator.tsx";
import { useHeaderHeight } from "./header-height.ts";
import { useDestinations, usePageShortcuts } from "./page-shortcuts.ts";
import { SearchBox } from "./search-box.tsx";
import { ServerClock } from "./server-clock.tsx";
import classes from "./shell.module.css";
import { SecondFactorBanner } from "./second-factor-banner.tsx";
import { IdleBanner } from "./idle-banner.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UserMenu } from "./user-menu.tsx";
import { messages } from "./messages.tsx";

/** Loaded on demand, because a dialog is large and few visits need one. */
const StepUpDialog = lazy(() => import("./step-up-dialog.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

/** The frame of every page after sign-in. On a small screen the rail is a drawer. */
export function Shell() {
  const drawer = useRef<HTMLDialogElement>(null);
  const header = useHeaderHeight();
  const [shortcutsShown, setShortcutsShown] = useState(false);
  const showShortcuts = (): void => setShortcutsShown(true);
  usePageShortcuts(showShortcuts);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        {messages.skip}
      </a>
      <header ref={header} className={classes.header}>
        <EnvironmentBanner />
        <IdleBanner />
        <SecondFactorBanner />
        <div className={classes.bar}>
          <button
            type="button"
            className={classes.opener}
            aria-label={messages.menu}
            onClick={() => drawer.current?.showModal()}
          >
            <Menu size={20} aria-hidden />
          </button>
          <Link to="/" className={classes.brand}>
            {messages.brand}
          </Link>
          <SearchBox />
          <GatewayStatusIndicator />
          <span className={classes.clock}>
            <ServerClock />
          </span>
          <ThemeSwitch />
          <UserMenu onKeys={showShortcuts} />
        </div>
      </header>
      <nav className={classes.rail} aria-label={messages.navigation}>
        <Rail />
      </nav>
      <Drawer of={drawer} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <StepUp />
      {shortcutsShown ? (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setShortcutsShown(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The rail as a modal dialog, for small screens. */
function Drawer({ of: dialog }: { readonly of: RefObject<HTMLDialogElement | null> }) {
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} className={classes.drawer} aria-label={messages.menu} closedby="any">
      <button
        type="button"
        className={classes.opener}
        aria-label={messages.closeMenu}
        onClick={close}
      >
        <X size={20} aria-hidden />
      </button>
      <nav aria-label={messages.navigation}>
        <Rail onFollow={close} />
      </nav>
      <p className={classes.clockBelow}>
        <ServerClock />
      </p>
    </dialog>
  );
}

/** The dialog of the identity check, loaded with the first action that requires one. */
function StepUp() {
  const isRequested = useStepUpRequested();
  const [wasRequested, setWasRequested] = useState(false);
  if (isRequested && !wasRequested) setWasRequested(true);
  if (!wasRequested) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog />
    </Suspense>
  );
}

function Rail({ onFollow }: { readonly onFollow?: () => void }) {
  return (
    <ul className={classes.links}>
      {useDestinations().map(({ to, label, icon: Icon, waits }) => (
        <li key={to}>
          <Link
            to={to}
            onClick={onFollow}
            className={classes.link}
            activeProps={{ "data-active": true, "aria-current": "page" }}
            activeOptions={{ exact: to === "/" }}
          >
            <Icon size={18} aria-hidden />
            {label}
            {waits ? <WaitingCount /> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The number of batches that wait for the reader's approval. */
function WaitingCount() {
  const { data: frame } = useQuery(frameQuery);
  if (!frame || frame.approve === 0) return null;
  return (
    <span className={classes.waiting} data-tone="alarm">
      {frame.approve}
      <VisuallyHidden>{messages.forYou}</VisuallyHidden>
    </span>
  );
}
