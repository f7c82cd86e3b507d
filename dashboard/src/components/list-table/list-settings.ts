import { useState } from "react";
import { isCompact } from "../../base/density.ts";
import type { ListColumn } from "./list-column.ts";

/** The heights of the rows of a list. */
export const DENSITIES = ["compact", "standard", "spacious"] as const;
/** The height of the rows of a list. */
export type Density = (typeof DENSITIES)[number];

interface ListSettings {
  readonly density: Density;
  /** The keys of the columns that the reader hides or shows, where it differs from the default. */
  readonly columns: Readonly<Record<string, boolean>>;
}

const keyOf = (table: string): string => `payrun-list-${table}`;

function read(table: string): ListSettings {
  const preset: ListSettings = { density: isCompact() ? "compact" : "standard", columns: {} };
  try {
    return { ...preset, ...JSON.parse(localStorage.getItem(keyOf(table)) ?? "{}") };
  } catch {
    return preset;
  }
}

/** The columns and row height that the reader chose for one table. This browser stores them. */
export function useListSettings(
  table: string,
): readonly [ListSettings, (change: Partial<ListSettings>) => void] {
  const [settings, setSettings] = useState(() => read(table));
  const change = (next: Partial<ListSettings>): void => {
    const all = { ...settings, ...next };
    localStorage.setItem(keyOf(table), JSON.stringify(all));
    setSettings(all);
  };
  return [settings, change];
}

/** The settings of a list, and their change. */
export interface ViewControlsProps {
  readonly columns: readonly Pick<ListColumn<never>, "key" | "header" | "isFixed" | "isHidden">[];
  /** False: the reader chooses only the columns. */
  readonly hasDensity?: boolean;
  readonly settings: ListSettings;
  readonly onChange: (change: Partial<ListSettings>) => void;
}
