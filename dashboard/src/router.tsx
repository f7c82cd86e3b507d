/** Every page has a line here and loads when it is opened. What can be in its address stands in `validateSearch`. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { onSignedOut } from "./client.ts";
import { ErrorState } from "./components/error-state.tsx";
import { Loading } from "./components/loading.tsx";
import { queryClient } from "./query-client.ts";
import { sessionQuery } from "./session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** The pages behind the sign-in. */
const desk = createRoute({
  getParentRoute: () => root,
  id: "desk",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const { person, setup_needed } = await queryClient.ensureQueryData(sessionQuery);
    if (person === null)
      redirect({ href: setup_needed ? "/setup" : signInAddress(location.href), throw: true });
  },
});

const home = createRoute({
  getParentRoute: () => desk,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/home/home.tsx"), "HomePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([desk.addChildren([home])]),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ErrorState,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const signInAddress = (from: string): string =>
  from === "/" ? "/login" : `/login?${new URLSearchParams({ next: from })}`;

onSignedOut(() => {
  if (router.state.location.pathname === "/login") return;
  queryClient.clear();
  void router.navigate({ href: signInAddress(router.state.location.href) });
});
