import { lazyRouteComponent } from "@tanstack/react-router";
import { loadLateStyles } from "./base/load-late-styles.ts";

/** Loads a page together with the styles that Home does not need. */
export const lazyPage = <
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(async () => (await Promise.all([load(), loadLateStyles()]))[0], name);
