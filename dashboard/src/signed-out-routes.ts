import { createRoute } from "@tanstack/react-router";
import { lazyPage as page } from "./lazy-page.ts";
import { loginSearch } from "./pages/people/search-params.ts";
import { root } from "./root-route.ts";

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: loginSearch,
  component: page(() => import("./pages/people/login.tsx"), "LoginPage"),
});
const oneTimePage = page(() => import("./pages/people/one-time-link.tsx"), "OneTimeLinkPage");
const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: oneTimePage });
const invite = createRoute({ getParentRoute: () => root, path: "/invite", component: oneTimePage });

/** The link of the demo. */
const demoSignIn = createRoute({
  getParentRoute: () => root,
  path: "/enter",
  component: page(() => import("./pages/people/demo-sign-in/demo-sign-in.tsx"), "DemoSignInPage"),
});

/** The pages that need no sign-in. */
export const signedOutRoutes = [login, setup, invite, demoSignIn] as const;
