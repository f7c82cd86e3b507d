import { createRootRoute, Outlet } from "@tanstack/react-router";

/** The parent of all routes. */
export const root = createRootRoute({ component: Outlet });
