/** Loads the styles that only pages other than Home need. A second call does nothing. */
export const loadLateStyles = (): Promise<unknown> => import("./late-styles.ts");
