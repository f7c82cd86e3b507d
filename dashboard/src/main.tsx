import "./base/styles.ts";
// Almost every page shows amounts and names, so their components load with the frame.
/* oxlint-disable import/no-unassigned-import -- only loaded here */
import "./components/amount.tsx";
import "./components/user-text.tsx";
/* oxlint-enable import/no-unassigned-import */
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyDensity } from "./base/density.ts";
import { keepFocus } from "./base/keep-focus.ts";
import { watchUserChange } from "./server/user-change.ts";
import { watchUserInput } from "./server/presence.ts";
import { queryClient } from "./server/query-client.ts";
import { dashboardRouter } from "./router.tsx";
import { sessionQuery } from "./server/session.ts";
import { Toasts } from "./components/notifications/toasts.tsx";
import { cssVariables, theme } from "./base/theme.ts";

const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// The styles that a dialog makes to hold the page still ask for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

/** Applies the style sheets of index.html once they have loaded. */
async function applyStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>("link[data-late]");
  for (const link of links) {
    if (!link.sheet) {
      await new Promise((settled) => {
        link.addEventListener("load", settled);
        link.addEventListener("error", settled);
      });
    }
    link.media = "all";
  }
}

/** Shows the page. Its session and its part load meanwhile. */
async function start(): Promise<void> {
  const router = dashboardRouter();
  void queryClient.prefetchQuery(sessionQuery);
  const [openedRoutes] = router.getMatchedRoutes(globalThis.location.pathname);
  for (const { options } of openedRoutes) {
    const { component } = options;
    if (component && "preload" in component) void component.preload?.();
  }

  applyDensity();
  watchUserChange();
  keepFocus();
  watchUserInput(() => void queryClient.invalidateQueries(sessionQuery));

  const root = document.getElementById("root");
  if (!root) throw new Error("index.html lost its root element");
  const app = (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
        deduplicateCssVariables={false}
      >
        <Toasts />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  await applyStyles();
  // As a transition, React renders in short steps, so that a slow phone reacts to input meanwhile.
  startTransition(() => createRoot(root).render(app));
}

// The modules have just taken a long task. This is another one, for the same reason.
setTimeout(() => void start());
