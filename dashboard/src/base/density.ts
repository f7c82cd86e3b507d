import { useState } from "react";

const SETTING = "payrun-density";

/** Returns whether the user chose compact rows for all tables. */
export const isCompact = (): boolean => localStorage.getItem(SETTING) === "compact";

/** Applies the row height of tables that the user chose in this browser. */
export function applyDensity(): void {
  document.documentElement.dataset["density"] = isCompact() ? "compact" : "comfortable";
}

/** The setting for compact rows in all tables, and its change. This browser stores it. */
export function useCompactRows(): readonly [boolean, (compact: boolean) => void] {
  const [compact, setCompact] = useState(isCompact);
  const choose = (next: boolean): void => {
    localStorage.setItem(SETTING, next ? "compact" : "comfortable");
    applyDensity();
    setCompact(next);
  };
  return [compact, choose];
}
