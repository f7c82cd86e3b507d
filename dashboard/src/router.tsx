import { createRouter, parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { ErrorState } from "./components/error-state.tsx";
import { Loading } from "./components/loading.tsx";
import { routeTree } from "./routes.tsx";
import { signInAddress } from "./server/address.ts";
import { onSignedOut, onStepUp } from "./server/client.ts";
import { clearUserData } from "./server/query-client.ts";
import { requestStepUp } from "./server/step-up.ts";

/** Creates the router of the dashboard. It keeps the values of an address as text. */
export function dashboardRouter() {
  const router = createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultPendingComponent: Loading,
    // The browser does not request a part again that failed to load, and a loaded part may belong
    // to an older version. Only a reload of the page fetches all parts.
    defaultErrorComponent: ({ error }) => (
      <ErrorState error={error} reset={() => globalThis.location.reload()} />
    ),
    scrollRestoration: true,
    // Another payout or batch is another page: nothing that was shown or typed of the one before
    // stays on it.
    defaultRemountDeps: ({ params }) => params,
    // Unknown parameters are removed from an address, because the server would refuse the list.
    search: { strict: true },
    // Values of an address are text as typed: an account number is no number, and 1200.00 is not
    // 1200.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(JSON.stringify),
  });
  onSignedOut(() => {
    if (router.state.location.pathname === "/login") return;
    clearUserData();
    void router.navigate({ href: signInAddress(router.state.location.href, { ended: "1" }) });
  });
  onStepUp(requestStepUp);
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof dashboardRouter>;
  }
}
