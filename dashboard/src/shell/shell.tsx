import { AppShell } from "@mantine/core";
import { useElementSize, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { X, Zap } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { loadLateStyles } from "../base/load-late-styles.ts";
import { Later } from "../components/loading.tsx";
import { NotificationBell } from "../components/notifications/notification-bell.tsx";
import { loadNotificationCorner } from "../components/notifications/toasts.tsx";
import { usePerson } from "../server/session.ts";
import { useStepUpRequest } from "../server/step-up.ts";
import { EnvironmentBadge } from "./environment.tsx";
import { onFirstInput } from "./first-input.ts";
import { frameQuery } from "./frame-query.ts";
import { GatewayStatusIndicator } from "./gateway-status-indicator.tsx";
import { FootLinks, RailLinks, TabBar } from "./navigation-links.tsx";
import { usePageShortcuts } from "./page-shortcuts.ts";
import { loadPalette, SearchButton } from "./search-button.tsx";
import { ServerClock } from "./server-clock.tsx";
import classes from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UserMenu } from "./user-menu.tsx";
import { messages } from "./messages.tsx";

/** Loaded on demand, because few visits need them. */
const StepUpDialog = lazy(() => import("./step-up-dialog.tsx"));
const Banners = lazy(() => import("./banners.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

const DESK = "(min-width: 62em)";
const RAIL_PX = 216;
const TOP_BAR_PX = 52;
const TAB_BAR_PX = 60;

/**
 * The frame of every page after sign-in: a rail and a top bar, or on a small screen a top bar, a
 * bottom bar and a drawer.
 */
export const Shell = () => (
  <Later>
    <Frame />
  </Later>
);

function Frame() {
  const isDesk = useMediaQuery(DESK, undefined, { getInitialValueInEffect: false });
  // Banners make the top bar higher.
  const { ref: top, height } = useElementSize();
  const [shortcutsShown, setShortcutsShown] = useState(false);
  const showShortcuts = (): void => setShortcutsShown(true);
  usePageShortcuts(showShortcuts);
  useLateParts();

  return (
    <AppShell
      // A new frame, because all times change with the time zone.
      key={usePerson()?.time_zone}
      layout="alt"
      header={{ height: Math.max(height, TOP_BAR_PX) }}
      navbar={{ width: RAIL_PX, breakpoint: "md", collapsed: { mobile: true } }}
      footer={{ height: { base: TAB_BAR_PX, md: 0 } }}
      transitionDuration={0}
      className={classes.frame}
    >
      <a className={classes.skip} href="#main">
        {messages.skip}
      </a>
      <AppShell.Header className={classes.header}>
        <div ref={top}>
          <LateBanners />
          <div className={classes.bar}>
            {isDesk ? null : <Brand />}
            <SearchButton onKeys={showShortcuts} />
            <GatewayStatusIndicator />
            {isDesk ? <ServerClock /> : null}
            <span className={classes.wide}>
              <ThemeSwitch />
            </span>
            <Notifications />
            {isDesk ? null : <UserMenu onKeys={showShortcuts} />}
          </div>
        </div>
      </AppShell.Header>
      {isDesk ? (
        <AppShell.Navbar className={classes.rail} aria-label={messages.navigation}>
          <Brand />
          <RailLinks />
          <div className={classes.foot}>
            <FootLinks />
            <UserMenu onKeys={showShortcuts} />
          </div>
        </AppShell.Navbar>
      ) : null}
      <AppShell.Main id="main" className={classes.main} tabIndex={-1}>
        <Later>
          <Outlet />
        </Later>
      </AppShell.Main>
      {isDesk ? null : <PhoneNavigation />}
      <StepUp />
      {shortcutsShown ? (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setShortcutsShown(false)} />
        </Suspense>
      ) : null}
    </AppShell>
  );
}

/**
 * Loads the styles of other pages, the palette and the corner for notifications when the user first
 * touches the page. The first page is shown before.
 */
function useLateParts(): void {
  useEffect(
    () =>
      onFirstInput(() => {
        // A part that cannot be loaded now is loaded when it is opened.
        void Promise.allSettled([loadLateStyles(), loadPalette(), loadNotificationCorner()]);
      }),
    [],
  );
}

/** Loads the banners once there is a reason for one. */
function LateBanners() {
  const isIdle = Boolean(useQuery(frameQuery).data?.status_indicator.idle);
  const isMissing = (usePerson()?.second_factor_missing ?? []).length > 0;
  return isIdle || isMissing ? (
    <Suspense fallback={null}>
      <Banners />
    </Suspense>
  ) : null;
}

/** The product name with the environment next to it. */
const Brand = () => (
  <span className={classes.brand}>
    <Link to="/">
      <span className={classes.logo}>
        <Zap size={16} aria-hidden />
      </span>
      {messages.brand}
    </Link>
    <EnvironmentBadge />
  </span>
);

/** The bottom bar of a small screen, and all pages as a modal dialog that it opens. */
function PhoneNavigation() {
  const drawer = useRef<HTMLDialogElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const close = (): void => drawer.current?.close();
  const open = (): void => {
    setWasOpened(true);
    drawer.current?.showModal();
  };
  return (
    <>
      <AppShell.Footer className={classes.footer}>
        <nav className={classes.tabBar} aria-label={messages.navigation}>
          <TabBar onMore={open} />
        </nav>
      </AppShell.Footer>
      <dialog ref={drawer} className={classes.drawer} aria-label={messages.menu} closedby="any">
        <button
          type="button"
          className={classes.closer}
          aria-label={messages.closeMenu}
          onClick={close}
        >
          <X size={20} aria-hidden />
        </button>
        {wasOpened ? <DrawerContent close={close} /> : null}
      </dialog>
    </>
  );
}

const DrawerContent = ({ close }: { readonly close: () => void }) => (
  <>
    <nav aria-label={messages.navigation}>
      <RailLinks onFollow={close} />
      <FootLinks onFollow={close} />
    </nav>
    <div className={classes.clock}>
      <ServerClock />
      <ThemeSwitch />
    </div>
  </>
);

/** The reader's notifications. */
function Notifications() {
  const { data, refetch } = useQuery(frameQuery);
  return <NotificationBell unread={data?.unread ?? 0} onRead={() => void refetch()} />;
}

/** The dialog of the identity check, loaded with the first action that requires one. */
function StepUp() {
  const isRequested = useStepUpRequest() !== null;
  const [wasRequested, setWasRequested] = useState(false);
  if (isRequested && !wasRequested) setWasRequested(true);
  if (!wasRequested) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog />
    </Suspense>
  );
}
